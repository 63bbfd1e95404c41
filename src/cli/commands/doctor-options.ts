import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface DoctorArguments {
  readonly folder: string;
  readonly json: boolean;
}

export const doctorOptions = texts.doctor;

export const parseDoctor = ({ argument, values }: Input<typeof doctorOptions>): DoctorArguments => ({
  folder: argument || ".",
  json: values.json ?? false,
});

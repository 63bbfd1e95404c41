/** Processor time of this process so far, in milliseconds: unlike the clock it does not pass while others work. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

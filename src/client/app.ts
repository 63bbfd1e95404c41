/** What makes a page comfortable. Everything can be read and reached without it. */
import { wireTheme } from "./theme.ts";

wireTheme();

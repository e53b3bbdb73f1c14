import { existsSync, readFileSync } from "node:fs";

/** A process's resident memory in MB; null except on Linux. */
export function memoryOf(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(path, "utf8"))![1]) / 1024;
}

/** Missed targets, as printed. */
export const missed: string[] = [];

/** Prints a measured figure with its target and the baseline or parts it was computed from. */
export function figure(
  name: string,
  value: number,
  aim: { atLeast: number } | { atMost: number },
  unit = "",
  parts = "",
) {
  const met = "atLeast" in aim ? value >= aim.atLeast : value <= aim.atMost;
  const wanted = "atLeast" in aim ? `≥ ${written(aim.atLeast)}` : `≤ ${written(aim.atMost)}`;
  const line = `${name.padEnd(44)} ${`${written(value)}${unit}`.padStart(9)}   aim ${`${wanted}${unit}`.padEnd(12)} ${met ? "met   " : "MISSED"}   ${parts}`;
  print(line.trimEnd());
  if (!met) missed.push(name);
}

/** Not with `console`, which writes to the log in a program that loads the built app. */
export function print(text: string) {
  process.stdout.write(`${text}\n`);
}

/** Prints a figure without a target. */
export function note(name: string, text: string) {
  print(`  ${name.padEnd(42)} ${text}`);
}

/** The value below which this share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** At most two decimals below ten; above, whole numbers with thousands separators. */
export function written(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

/** One line of Prometheus' text. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Reads Prometheus' text: its samples, and its metrics by name with their type. */
export function readMetrics(text: string): { samples: Sample[]; types: Map<string, string> } {
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed) types.set(typed, type!);
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name) continue;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, said]) => [key!, said!]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return { samples, types };
}

/** Requests something of a process's metrics port, each time over a connection of its own: a kept one may be closed just then. */
export async function fetchMetrics(port: number, path: string, method = "GET") {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { Connection: "close" } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Scrapes a process's metrics port. */
export async function scrapeMetrics(port: number) {
  const { text, ...answer } = await fetchMetrics(port, "/metrics");
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  const { samples, types } = readMetrics(text);
  /** The sum of a metric over all series that have these labels; undefined where there is none. */
  const value = (name: string, labels: Record<string, string> = {}): number | undefined => {
    const found = samples.filter(
      (one) =>
        one.name === `checkintelli_${name}` &&
        Object.entries(labels).every(([key, wanted]) => one.labels[key] === wanted),
    );
    return found.length > 0 ? found.reduce((sum, one) => sum + one.value, 0) : undefined;
  };
  return { text, samples, types, value };
}

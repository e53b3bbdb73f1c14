import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * What this process counts, as Prometheus reads it. A label is a word of ours from a short list: never an address, an id or
 * anything somebody typed. Each label's value is a series that is kept as long as the process lives.
 */
const registry = new Registry();

/** Every metric's name begins so. */
const PREFIX = "checkintelli_";

/** Something that only grows: how often it happened. */
export function counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
  return new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
}

/**
 * The same with labels whose values are all known: each series begins at 0, so that Prometheus' `increase()` sees the first
 * events, too. What an alert goes by is counted so.
 */
export function countedFromZero<L extends string>(
  name: string,
  help: string,
  labels: Record<L, readonly string[]>,
): Counter<L> {
  const made = counter(name, help, Object.keys(labels) as L[]);
  const known = Object.entries<readonly string[]>(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
  for (const series of known) made.inc(series as Record<L, string>, 0);
  return made;
}

/** How long something took, in seconds, counted by how long at most: `buckets`. */
export function histogram<L extends string>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: L[] = [],
): Histogram<L> {
  return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [registry] });
}

/** Something that goes up and down. `read` is called whenever somebody asks. */
export function gauge<L extends string>(
  name: string,
  help: string,
  labelNames: L[],
  read: (gauge: Gauge<L>) => void,
): void {
  new Gauge({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      read(this);
    },
  });
}

/** A value with its labels, and the gauge it belongs to. */
export type Reading = {
  name: string;
  help: string;
  values: [labels: Record<string, string>, value: number][];
};

/** Gauges that were read elsewhere, as text. */
export function readingsText(readings: Reading[]): Promise<string> {
  const apart = new Registry();
  for (const { name, help, values } of readings) {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const made = new Gauge({ name: PREFIX + name, help, labelNames, registers: [apart] });
    for (const [labels, value] of values) made.set(labels, value);
  }
  return apart.metrics();
}

/** Begins to watch the process itself: memory, CPU, how late its event loop is. */
export function watchProcess(): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
}

/** All that this process counts, in Prometheus' text format. */
export function metricsText(): Promise<string> {
  return registry.metrics();
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

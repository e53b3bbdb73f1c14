import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * Metrics of this process in Prometheus' format. Label values come from short lists of ours: never an address, an id or
 * anything typed. Each value is a series that lives as long as the process.
 */
const registry = new Registry();

/** Prefix of every metric's name. */
const PREFIX = "checkintelli_";

/** A value that only grows: how often something happened. */
export function counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
  return new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
}

/**
 * A counter whose label values are all known: each series begins at 0, so that Prometheus' `increase()` counts the
 * first events too. Use it for metrics with alerts.
 */
export function counterFromZero<L extends string>(
  name: string,
  help: string,
  labels: Record<L, readonly string[]>,
): Counter<L> {
  const metric = counter(name, help, Object.keys(labels) as L[]);
  const allSeries = Object.entries<readonly string[]>(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
  for (const series of allSeries) metric.inc(series as Record<L, string>, 0);
  return metric;
}

/** How long something took, in seconds. `buckets` are upper bounds. */
export function histogram<L extends string>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: L[] = [],
): Histogram<L> {
  return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [registry] });
}

/** A value that goes up and down. `read` is called at each scrape. */
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

/** A value with its labels and its gauge's name. */
export type GaugeReading = {
  name: string;
  help: string;
  values: [labels: Record<string, string>, value: number][];
};

/** Formats gauges that were read elsewhere as text. */
export function formatReadings(readings: GaugeReading[]): Promise<string> {
  const separateRegistry = new Registry();
  for (const { name, help, values } of readings) {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const metric = new Gauge({ name: PREFIX + name, help, labelNames, registers: [separateRegistry] });
    for (const [labels, value] of values) metric.set(labels, value);
  }
  return separateRegistry.metrics();
}

/** Begins to measure the process itself: memory, CPU, event loop lag. */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
}

/** All metrics of this process in Prometheus' text format. */
export function metricsText(): Promise<string> {
  return registry.metrics();
}

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

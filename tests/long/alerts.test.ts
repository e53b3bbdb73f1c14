import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const RULES = "ops/prometheus/alerts.yml";
const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\S+)/g)].map(([, name]) => name!);
/** Prometheus' own tool (`apt-get install prometheus`): without it the rules are not tested, and the run reports it. */
const hasTool = spawnSync("promtool", ["--version"]).status === 0;

/**
 * Series in promtool's notation, a value every 15 seconds, and when the alert is to fire. Metrics of ours have no
 * prefix here.
 */
type Trouble = { at: string; series: Record<string, string> };

const FOR_LONG = "x500";
const steady = (series: string, value: number, at: string): Trouble => ({
  at,
  series: { [series]: value + FOR_LONG },
});
/** Nothing, and then all at once: the counter begins at 0 and rises in one step. */
const burst = (count: number) => `0 0 ${count}${FOR_LONG}`;

const TROUBLES: Record<string, Trouble> = {
  PaymentWaiting: steady('charges_settlement_overdue_seconds{reported="paid"}', 301, "2m"),
  ReversalWaiting: steady('charges_settlement_overdue_seconds{reported="other"}', 3601, "6m"),
  ChecksOverdue: steady("charges_check_overdue_seconds", 121, "4m"),
  PaidChecksOverdue: steady("paced_checks_overdue_seconds", 7201, "11m"),
  PaymentsBookedLate: {
    at: "15m",
    series: {
      'payment_settle_latency_seconds_bucket{le="120"}': `0${FOR_LONG}`,
      'payment_settle_latency_seconds_bucket{le="300"}': `0+1${FOR_LONG}`,
      'payment_settle_latency_seconds_bucket{le="+Inf"}': `0+1${FOR_LONG}`,
    },
  },
  WebhooksMissing: {
    at: "15m",
    series: {
      'payments_settled_total{learned="question"}': burst(10),
      'payments_settled_total{learned="webhook"}': `0${FOR_LONG}`,
    },
  },
  JobsFailed: steady('jobs_failed{job="clean-up"}', 1, "1m"),
  QueueLate: steady('jobs_overdue_seconds{job="sweep-charges"}', 121, "4m"),
  MailsOverdue: steady("mails_overdue_seconds", 301, "4m"),
  DeliveriesOverdue: steady("deliveries_overdue_seconds", 1801, "4m"),
  ErasuresOverdue: steady("erasures_overdue_seconds", 14_401, "11m"),
  FilesOverdue: steady("stamped_copies_overdue_seconds", 301, "4m"),
  NoWorker: steady("worker_running", 0, "3m"),
  NoWeb: steady('up{job="checkintelli-web"}', 0, "2m"),
  ProcessMissing: {
    at: "6m",
    series: {
      'up{job="checkintelli-web",instance="web-a"}': `1${FOR_LONG}`,
      'up{job="checkintelli-web",instance="web-b"}': `0${FOR_LONG}`,
    },
  },
  DatabaseAway: steady("database_up", 0, "2m"),
  ErrorRate: {
    at: "3m",
    series: {
      'http_responses_total{class="5xx"}': burst(200),
      'http_responses_total{class="2xx"}': `0${FOR_LONG}`,
    },
  },
  CheckoutSlow: {
    at: "25m",
    series: {
      'http_request_duration_seconds_bucket{route="/checkout/:productId",method="GET",le="1"}': `0${FOR_LONG}`,
      'http_request_duration_seconds_bucket{route="/checkout/:productId",method="GET",le="2.5"}': `0+1${FOR_LONG}`,
      'http_request_duration_seconds_bucket{route="/checkout/:productId",method="GET",le="+Inf"}': `0+1${FOR_LONG}`,
    },
  },
  MailAccountRefused: { at: "1m", series: { 'mail_accounts_refused{via="platform"}': burst(1) } },
  MailsStuck: steady('mails_pending{age="1h_to_1d"}', 1, "16m"),
  MailsFailing: {
    at: "6m",
    series: {
      'mails_last_hour{state="failed"}': `6${FOR_LONG}`,
      'mails_last_hour{state="sent"}': `10${FOR_LONG}`,
    },
  },
  ProviderFailing: {
    at: "3m",
    series: {
      'outside_calls_total{service="pushinpay",outcome="timeout"}': burst(40),
      'outside_calls_total{service="pushinpay",outcome="ok"}': `0${FOR_LONG}`,
    },
  },
  PoolWaiting: {
    at: "3m",
    series: { 'db_no_free_connection_total{pool="checkintelli",instance="web-a"}': burst(38) },
  },
  ReportsBehind: steady("report_days_stale", 5001, "16m"),
  ProcessBusy: steady('nodejs_eventloop_lag_p99_seconds{instance="web-a"}', 0.6, "6m"),
  DiskFillingUp: {
    at: "16m",
    series: {
      'node_filesystem_avail_bytes{fstype="ext4"}': `5${FOR_LONG}`,
      'node_filesystem_size_bytes{fstype="ext4"}': `100${FOR_LONG}`,
    },
  },
  ClockDrifts: steady("node_timex_sync_status", 0, "11m"),
  CertificateExpires: steady("probe_ssl_earliest_cert_expiry", 86_400, "61m"),
};

/** A harmless state, and the alert that must stay silent in it. */
const CALM: [alert: string, trouble: Trouble][] = [
  [
    "ProviderFailing",
    {
      at: "3m",
      series: {
        'outside_calls_total{service="webhook",outcome="timeout"}': burst(400),
        'outside_calls_total{service="webhook",outcome="ok"}': `0${FOR_LONG}`,
      },
    },
  ],
  ["MailAccountRefused", { at: "1m", series: { 'mail_accounts_refused{via="seller"}': burst(1) } }],
  ["ErrorRate", { at: "3m", series: { 'http_responses_total{class="4xx"}': burst(200) } }],
  [
    "PoolWaiting",
    { at: "3m", series: { 'db_no_free_connection_total{pool="checkintelli"}': `0${FOR_LONG}` } },
  ],
  ["NoWorker", steady("worker_running", 1, "3m")],
];

const FOREIGN = /^(up|node_|probe_)/;
const prefixed = (series: string) => (FOREIGN.test(series) ? series : `checkintelli_${series}`);

/** A test in promtool's notation: whether the alert fires at that moment, whatever its labels. */
function promTest(alert: string, { at, series }: Trouble, fires: boolean) {
  return {
    interval: "15s",
    input_series: Object.entries(series).map(([name, values]) => ({ series: prefixed(name), values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: at,
        exp_samples: fires ? [{ labels: "{}", value: 1 }] : [],
      },
    ],
  };
}

test("every alert has a state in which it is tested", () => {
  expect(Object.keys(TROUBLES).sort()).toEqual([...alerts].sort());
});

test.skipIf(!hasTool)("promtool finds no mistake in the rules", () => {
  const output = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  expect(output.status, output.stdout + output.stderr).toBe(0);
});

test.skipIf(!hasTool)("each alert fires at its trouble's first burst, and not where there is none", () => {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(".cache/alerts-");
  try {
    const tests = [
      ...Object.entries(TROUBLES).map(([alert, trouble]) => promTest(alert, trouble, true)),
      ...CALM.map(([alert, trouble]) => promTest(alert, trouble, false)),
    ];
    const file = join(folder, "tests.yml");
    // YAML reads JSON.
    writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: "15s", tests }));
    const output = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    expect(output.status, output.stdout + output.stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

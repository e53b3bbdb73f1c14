/** The states in which the rules of `ops/prometheus/alerts.yml` are tested. */

/**
 * Series in promtool's notation, a value every 15 seconds, and when the alert is to fire. Metrics of ours have no
 * prefix here.
 */
export type Trouble = { at: string; series: Record<string, string> };

const FOR_LONG = "x600";
const steady = (series: string, value: number, at: string): Trouble => ({
  at,
  series: { [series]: value + FOR_LONG },
});
/** Nothing, and then all at once: the counter begins at 0 and rises in one step. */
const burst = (count: number) => `0 0 ${count}${FOR_LONG}`;

/** A state for each alert, in which it is to fire. */
export const TROUBLES: Record<string, Trouble> = {
  PaymentWaiting: steady('charges_settlement_overdue_seconds{reported="paid"}', 301, "2m"),
  PaymentKeyRefused: steady('charges_settlement_overdue_seconds{reported="key_refused"}', 3601, "6m"),
  PaymentKeysRefused: {
    at: "6m",
    series: {
      'key_refused_sellers{provider="woovi"}': `2${FOR_LONG}`,
      'reported_payment_sellers{provider="woovi"}': `3${FOR_LONG}`,
    },
  },
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
  ScheduledJobFailing: {
    at: "6m",
    series: {
      'scheduled_job_success_age_seconds{job="clean-up"}': `174601${FOR_LONG}`,
      'scheduled_job_interval_seconds{job="clean-up"}': `86400${FOR_LONG}`,
    },
  },
  WorkFailing: {
    at: "62m",
    series: { 'work_failures_total{work="deliveries"}': `0+1${FOR_LONG}` },
  },
  QueueLate: steady('scheduled_job_success_age_seconds{job="sweep-charges"}', 601, "4m"),
  MailsOverdue: steady("mails_overdue_seconds", 301, "4m"),
  DeliveriesOverdue: steady("deliveries_overdue_seconds", 1801, "4m"),
  ErasuresOverdue: steady("erasures_overdue_seconds", 14_401, "121m"),
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
  ReplicaAway: steady("replica_lag_seconds", 301, "6m"),
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
export const CALM: [alert: string, trouble: Trouble][] = [
  [
    "ReplicaAway",
    { at: "6m", series: { replica_up: `1${FOR_LONG}`, replica_lag_seconds: `120${FOR_LONG}` } },
  ],
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
  [
    // A card's instalments are asked of its provider while the page is shown.
    "CheckoutSlow",
    {
      at: "25m",
      series: {
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId/parcelas",method="GET",le="1"}': `0${FOR_LONG}`,
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId/parcelas",method="GET",le="2.5"}': `0+1${FOR_LONG}`,
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId/parcelas",method="GET",le="+Inf"}': `0+1${FOR_LONG}`,
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId",method="GET",le="1"}': `0${FOR_LONG}`,
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId",method="GET",le="2.5"}': `0+1${FOR_LONG}`,
        'http_request_duration_seconds_bucket{route="/checkout/cartao/:saleId",method="GET",le="+Inf"}': `0+1${FOR_LONG}`,
      },
    },
  ],
  ["ErrorRate", { at: "3m", series: { 'http_responses_total{class="4xx"}': burst(200) } }],
  [
    "PoolWaiting",
    { at: "3m", series: { 'db_no_free_connection_total{pool="checkintelli"}': `0${FOR_LONG}` } },
  ],
  ["NoWorker", steady("worker_running", 1, "3m")],
  ["PaymentWaiting", steady('charges_settlement_overdue_seconds{reported="key_refused"}', 3601, "6m")],
  [
    "PaymentKeysRefused",
    {
      at: "6m",
      series: {
        'key_refused_sellers{provider="woovi"}': `2${FOR_LONG}`,
        'reported_payment_sellers{provider="woovi"}': `50${FOR_LONG}`,
      },
    },
  ],
  [
    "ScheduledJobFailing",
    {
      at: "6m",
      series: {
        'scheduled_job_success_age_seconds{job="clean-up"}': `100000${FOR_LONG}`,
        'scheduled_job_interval_seconds{job="clean-up"}': `86400${FOR_LONG}`,
      },
    },
  ],
];

const FOREIGN = /^(up|node_|probe_)/;
export const prefixed = (series: string) => (FOREIGN.test(series) ? series : `checkintelli_${series}`);

/** The value of a series in promtool's notation after a number of intervals: `a`, `axN` or `a+bxN`, one after another. */
export function valueAt(notation: string, interval: number): number {
  let left = interval;
  let value = 0;
  for (const part of notation.split(" ")) {
    const [, start, step = "0", times = "0"] = /^(-?[\d.]+)([+-][\d.]+)?(?:x(\d+))?$/.exec(part)!;
    const steps = Math.min(left, Number(times));
    value = Number(start) + steps * Number(step);
    left -= Number(times) + 1;
    if (left < 0) break;
  }
  return value;
}

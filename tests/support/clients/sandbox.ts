/** A charge as the sandbox stores it. `value` in cents. */
export type SandboxTransaction = {
  id: string;
  provider: "pushinpay" | "woovi" | "mercadopago";
  value: number;
  status: string;
  refunds: { reference: string; cents: number; status: "processing" | "confirmed" | "rejected" }[];
  qr_code: string;
  webhook_url: string | null;
  created_at: string;
  end_to_end_id: string | null;
  /** `challengeUrl`: of the bank's page. */
  card?: { challengeUrl: string | null; itemTitle: string | null };
};

/** A mail as it was posted. */
export type SandboxEmail = {
  id: string;
  at: string;
  token: string;
  headers: Record<string, string>;
  idempotencyKey: string | null;
  body: { from: string; to: string | string[]; subject: string; html?: string; text?: string };
};

export type SandboxCalls = {
  pushinpay: {
    cashIn: number;
    transaction: number;
    refund: number;
    gateRefusals: number;
    perTransaction: Record<string, number>;
  };
  woovi: { create: number; find: number; refund: number; refunds: number; keys: number };
  mercadopago: { create: number; find: number; search: number; refund: number; documentation: number };
  utmify: { orders: number };
  resend: { emails: number };
  identity: { auth: number; token: number; me: number };
};

/** A webhook as it came to the sandbox's receiver; `url` with the query, `body` as it was sent. */
export type Arrival = {
  name: string;
  at: string;
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** What one e-mail may open at a member area. */
export type SandboxMembership = {
  service: "cademi" | "memberkit";
  area: string;
  email: string;
  name: string;
  item: string;
  isOpen: boolean;
  told: number;
  body: Record<string, unknown>;
};

type Advertiser = "meta" | "ga4" | "tiktok" | "kwai";

/** An event as an advertiser accepted it; a duplicate, and most tests, do not count. */
export type SandboxConversion = {
  service: Advertiser;
  pixel: string;
  event: string;
  id: string;
  counted: boolean;
  isTest: boolean;
  body: Record<string, unknown>;
};

export type Fault = {
  service:
    | "pushinpay"
    | "mercadopago"
    | "woovi"
    | "utmify"
    | "resend"
    | "identity"
    | "receiver"
    | "cademi"
    | "memberkit"
    | Advertiser;
  mode:
    | "http-500"
    | "http-429"
    | "http-422"
    | "timeout"
    | "reset"
    | "malformed"
    | `status-${number}`
    | `slow-${number}`;
  times?: number;
  route?: string;
  /** The service does its work, then the answer is lost. */
  after?: boolean;
  body?: unknown;
};

export type WebhookRules = Partial<{
  encoding: "form" | "json";
  copies: number;
  delayMs: number;
  drop: boolean;
  order: "normal" | "reversed";
  created: boolean;
  idCase: "upper" | "lower";
  header: { name?: string; value: string } | null;
}>;

/** How long the app took to answer webhooks, in milliseconds; the `late` ones were sent again. */
export type AnswerTimes = { attempts: number; late: number; p50Ms: number; p95Ms: number; slowestMs: number };

/** Speaks to the sandbox's controls at `url`. */
export function sandboxControl(url: string) {
  async function get<T>(path: string): Promise<T> {
    const answer = await fetch(`${url}/control${path}`);
    if (!answer.ok) throw new Error(`sandbox GET ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<T>;
  }
  async function post<T>(path: string, body: unknown = {}): Promise<T> {
    const answer = await fetch(`${url}/control${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`sandbox POST ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<T>;
  }
  return {
    url,
    get,
    post,
    /** Oldest first. */
    transactions: () => get<SandboxTransaction[]>("/transactions"),
    transaction: (id: string) => get<SandboxTransaction>(`/transactions/${id}`),
    /** Pays and sends the webhook. @param options.wait until it was delivered or given up */
    pay: (id: string, options: { value?: number; webhookOnly?: boolean; wait?: boolean } = {}) => {
      const { wait, ...body } = options;
      return post<SandboxTransaction>(`/transactions/${id}/pay${wait ? "?wait=1" : ""}`, body);
    },
    cancel: (id: string) => post<SandboxTransaction>(`/transactions/${id}/cancel`),
    expire: (id: string) => post<SandboxTransaction>(`/transactions/${id}/expire`),
    refund: (id: string) => post<SandboxTransaction>(`/transactions/${id}/refund`),
    /** Sends a charge's state once more. */
    tellAgain: (id: string) => post<SandboxTransaction>(`/transactions/${id}/webhook?wait=1`),
    webhooks: (rules: WebhookRules) => post("/webhooks", rules),
    answerTimes: () => get<{ answers: AnswerTimes }>("/webhooks").then(({ answers }) => answers),
    /** Sends a made-up webhook. @returns what the app answered */
    forge: (body: Record<string, unknown> | string, to: { url?: string; id?: string } = {}) =>
      post<{ status: number | null }>("/webhooks", { body, ...to }),
    /** A body as this provider would send it, signed where it signs. */
    wrap: (body: object, provider: string) =>
      post<{ body: string; headers: Record<string, string> }>("/webhooks", { body, provider, send: false }),
    /** Ends a card payment in review. */
    decideCard: (id: string, outcome: "approve" | "decline") => post(`/transactions/${id}/${outcome}`),
    /** Answers a challenge as a buyer does on the bank's page. */
    answerChallenge: async (id: string, answer: "confirm" | "refuse") => {
      const { card } = await get<SandboxTransaction>(`/transactions/${id}`);
      const ended = await fetch(`${card!.challengeUrl}/${answer}`, { method: "POST" });
      if (!ended.ok) throw new Error(`challenge ${answer}: ${ended.status}`);
    },
    fault: (fault: Fault) => post("/faults", { times: 1, ...fault }),
    endFaults: (service: Fault["service"]) => post("/faults", { service, times: 0 }),
    gate: (rule: { enabled?: boolean; seconds?: number }) => post("/gate", rule),
    /** Moves the sandbox's clock on: its gate, its delays. */
    advance: (seconds: number) => post("/clock", { advanceSeconds: seconds }),
    identity: (rule: { persona?: string | null; deny?: boolean }) => post("/identity", rule),
    emails: (to?: string) => get<SandboxEmail[]>(to ? `/emails?to=${encodeURIComponent(to)}` : "/emails"),
    arrivals: (name?: string) => get<Arrival[]>(name ? `/receiver?name=${name}` : "/receiver"),
    memberships: (email?: string) =>
      get<SandboxMembership[]>(email ? `/memberships?email=${encodeURIComponent(email)}` : "/memberships"),
    conversions: (service?: Advertiser) =>
      get<SandboxConversion[]>(service ? `/conversions?service=${service}` : "/conversions"),
    orders: () => get<Record<string, unknown>[]>("/orders"),
    calls: () => get<SandboxCalls>("/calls"),
    reset: () => post("/reset"),
  };
}

export type SandboxControl = ReturnType<typeof sandboxControl>;

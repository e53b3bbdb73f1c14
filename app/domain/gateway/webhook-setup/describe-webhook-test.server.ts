import type { ProviderFailure } from "#app/db/schema/lists.ts";
import type { WebhookSetup } from "#app/domain/gateway/providers/account-form.ts";
import { capitalizedName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import {
  DECIDING_ARRIVALS,
  MAX_WAIT,
  type TestProgress,
} from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { formatDayAndTime } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { withoutEnd } from "#app/kit/without-end.ts";

/** A step of a test, for its seller: `text` says what happened, or what to do. */
export type TestStep = {
  name: string;
  state: "waiting" | "running" | "done" | "failed" | "skipped";
  text: string | null;
};

/** `outdated`: it ended, and its key is not the saved one any more. */
export type TestResult = "running" | "passed" | "failed" | "paid" | "outdated";

type Described = TestProgress & {
  failureDetail: string | null;
  scheduledAt: Date | null;
  /** Whether its key is the one that is saved. */
  isOfSavedKey: boolean;
};
type Names = Pick<Provider, "label" | "article"> & { setup: WebhookSetup };

const NONE = `Nenhuma notificação chegou em ${MAX_WAIT / MINUTE} minutos.`;
const OTHER = "Chegou uma notificação, mas não a deste teste.";
const MISMATCH = "A notificação chegou, mas a assinatura dela não confere.";

/** Describes a test: its result, and its four steps in their order. */
export function describeWebhookTest(
  test: Described,
  names: Names,
): { result: TestResult; steps: TestStep[] } {
  const steps = [
    orderStep(test, names),
    arrivalStep(test, names),
    signatureStep(test, names),
    cancelStep(test, names),
  ];
  return { result: resultOf(test, steps), steps };
}

function resultOf({ endedAt, paidAt, isOfSavedKey }: Described, steps: TestStep[]): TestResult {
  if (paidAt) return "paid";
  if (!endedAt) return "running";
  if (!isOfSavedKey) return "outdated";
  return steps.every(({ state }) => state === "done") ? "passed" : "failed";
}

function orderStep({ failureKind, failureDetail, orderedAt }: Described, names: Names): TestStep {
  const name = "Pedido de teste criado";
  if (failureKind) {
    const text = FAILURES[failureKind](capitalizedName(names), withoutEnd(failureDetail ?? "", "."));
    return { name, state: "failed", text };
  }
  return { name, state: orderedAt ? "done" : "running", text: null };
}

const FAILURES: Record<ProviderFailure, (who: string, theirs: string) => string> = {
  credentials: (who, theirs) =>
    `${who} recusou a API Key: “${theirs}”. Salve a chave certa nas configurações e teste de novo.`,
  refused: (who, theirs) => `${who} recusou o pedido: “${theirs}”.`,
  busy: (who) => `${who} está recebendo pedidos demais agora. Teste de novo em alguns minutos.`,
  "no-answer": (who) => `${who} não respondeu. Teste de novo em alguns minutos.`,
  nonsense: (who) => `${who} deu uma resposta que não entendemos. Teste de novo em alguns minutos.`,
};

function arrivalStep(
  { failureKind, arrival, endedAt, paidAt, orderedAt }: Described,
  names: Names,
): TestStep {
  const name = "Notificação recebida";
  if (arrival !== null && DECIDING_ARRIVALS.includes(arrival)) return { name, state: "done", text: null };
  if (failureKind || paidAt) return { name, state: "skipped", text: null };
  if (!endedAt) return { name, state: orderedAt ? "running" : "waiting", text: null };
  const { advice } = names.setup;
  if (arrival === null) return { name, state: "failed", text: `${NONE} ${advice.none}` };
  const known = arrival === "other-topic" ? advice["other-topic"] : advice["other-payment"];
  return { name, state: "failed", text: `${OTHER} ${known}` };
}

function signatureStep({ arrival, endedAt }: Described, { setup }: Names): TestStep {
  const name = "Assinatura conferida";
  if (arrival === "verified") return { name, state: "done", text: null };
  if (arrival === "wrong-signature")
    return { name, state: "failed", text: `${MISMATCH} ${setup.advice["wrong-signature"]}` };
  return { name, state: endedAt ? "skipped" : "waiting", text: null };
}

function cancelStep(test: Described, names: Names): TestStep {
  const name = "Pedido cancelado";
  const { providerId, failureKind, cancelledAt, cancelFailure, paidAt, expiresAt, scheduledAt } = test;
  if (paidAt) {
    const text = `O PIX de teste foi pago antes do cancelamento. O dinheiro está na sua conta ${nameWithArticle(names, "d")}: nada se perdeu, e a devolução é feita por lá. Não é uma venda, e não entra nos seus relatórios.`;
    return { name, state: "failed", text };
  }
  if (providerId && cancelledAt) return { name, state: "done", text: null };
  if (providerId && !scheduledAt)
    return {
      name,
      state: "failed",
      text: "O cancelamento falhou, e o código venceu. Ninguém o viu; se quiser, confira no painel se foi pago.",
    };
  if (cancelFailure) {
    const when = expiresAt ? ` em ${formatDayAndTime(expiresAt)}` : "";
    const text = `O cancelamento falhou: “${withoutEnd(cancelFailure, ".")}”. Tentamos de novo sozinhos a cada meio minuto. O código vence sozinho${when}, e ninguém o viu.`;
    return { name, state: "failed", text };
  }
  if (failureKind && !providerId) {
    const text = scheduledAt
      ? "Se o pedido foi criado mesmo assim, nós o cancelamos assim que ele aparecer. Ninguém viu o código."
      : null;
    return { name, state: "skipped", text };
  }
  return { name, state: "waiting", text: null };
}

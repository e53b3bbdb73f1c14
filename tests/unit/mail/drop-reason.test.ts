import { expect, test, vi } from "vitest";
import { dropReason } from "#app/domain/mail/sending/drop-reason.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

const ago = (ms: number) => new Date(Date.now() - ms);

/** Why a mail is not sent that was queued just now and not attempted, unless `fields` state otherwise. */
function reasonFor(fields: Partial<Parameters<typeof dropReason>[0]> = {}): string | null {
  return dropReason({
    ...{ createdAt: new Date(), attempts: 0, claimedAt: null, uncertainSince: null },
    ...{ error: null, bodySealed: null, ...fields },
  });
}

const INTERRUPTED = "O envio foi interrompido: o e-mail pode não ter chegado.";
const UNCERTAIN = "O provedor não confirmou o envio: o e-mail pode ter chegado.";

test("a mail is attempted for three days, and one without any attempt once after that", () => {
  const [before, after] = [ago(3 * DAY - MINUTE), ago(3 * DAY + MINUTE)];
  const tried = { attempts: 1, error: "500: oops" };
  expect(reasonFor({ ...tried, createdAt: before })).toBeNull();
  expect(reasonFor({ ...tried, createdAt: after })).toBe("500: oops");
  expect(reasonFor({ attempts: 1, createdAt: after })).toBe(INTERRUPTED);
  expect(reasonFor({ ...tried, createdAt: after, claimedAt: after })).toBe(INTERRUPTED);
  expect(reasonFor({ createdAt: after, claimedAt: after })).toBe(INTERRUPTED);
  expect(reasonFor({ createdAt: after })).toBeNull();
});

test.each([
  ["reset-password", HOUR],
  ["buyer-link", 30 * MINUTE],
  ["correct-email", DAY],
  ["confirm-email", 3 * DAY],
] as const)("a mail with a link (%s) is sent while the link works, and not after that", (kind, lifetime) => {
  const EXPIRED = "Não enviado: o link do e-mail já tinha expirado.";
  expect(reasonFor({ kind, createdAt: ago(lifetime - MINUTE) })).toBeNull();
  expect(reasonFor({ kind, createdAt: ago(lifetime + MINUTE) })).toBe(EXPIRED);
  const tried = { attempts: 3, error: "500: oops", uncertainSince: ago(MINUTE) };
  expect(reasonFor({ kind, createdAt: ago(lifetime + MINUTE), ...tried })).toBe(
    `O link do e-mail já expirou. O provedor não confirmou o envio: o e-mail pode ter chegado.`,
  );
});

test("a mail without such a link is sent, however late", () => {
  for (const kind of ["purchase", "email-change"] as const)
    expect(reasonFor({ kind, createdAt: ago(4 * DAY) })).toBeNull();
});

test("what may have arrived is attempted only while the provider knows its idempotency key", () => {
  const [before, after] = [ago(23 * HOUR - MINUTE), ago(23 * HOUR + MINUTE)];
  expect(reasonFor({ uncertainSince: before })).toBeNull();
  expect(reasonFor({ uncertainSince: after })).toBe(UNCERTAIN);
  expect(reasonFor({ claimedAt: before, bodySealed: "x" })).toBeNull();
  expect(reasonFor({ claimedAt: after, bodySealed: "x" })).toBe(UNCERTAIN);
  // It was not rendered yet, so it was not sent.
  expect(reasonFor({ claimedAt: after })).toBeNull();
});

test("three days and 23 hours are over only after their last millisecond", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const tried = { attempts: 1, error: "500: oops" };
    expect(reasonFor({ ...tried, createdAt: ago(3 * DAY) })).toBeNull();
    expect(reasonFor({ ...tried, createdAt: ago(3 * DAY + 1) })).toBe("500: oops");
    expect(reasonFor({ uncertainSince: ago(23 * HOUR) })).toBeNull();
    expect(reasonFor({ uncertainSince: ago(23 * HOUR + 1) })).toBe(UNCERTAIN);
  } finally {
    vi.useRealTimers();
  }
});

test("a mail whose address was corrected says whether it may have arrived at the old one", () => {
  expect(reasonFor({ obsoleteReason: "corrected" })).toBe("O e-mail da compra foi corrigido antes do envio.");
  expect(reasonFor({ obsoleteReason: "corrected", uncertainSince: ago(MINUTE) })).toBe(
    `O e-mail da compra foi corrigido. ${UNCERTAIN}`,
  );
});

test("a mail that gives access to what was refunded says whether it may have arrived all the same", () => {
  expect(reasonFor({ obsoleteReason: "returned" })).toBe("Não enviado: o valor da compra já foi devolvido.");
  expect(reasonFor({ obsoleteReason: "returned", uncertainSince: ago(MINUTE) })).toBe(
    `O valor da compra já foi devolvido. ${UNCERTAIN}`,
  );
});

test("a mail about a payment says whether it may have arrived all the same", () => {
  const uncertain = { uncertainSince: ago(MINUTE) };
  expect(reasonFor({ obsoleteReason: "paid" })).toBe("Não enviado: a compra já foi paga.");
  expect(reasonFor({ obsoleteReason: "paid", ...uncertain })).toBe(`A compra já foi paga. ${UNCERTAIN}`);
  expect(reasonFor({ obsoleteReason: "unpayable" })).toBe("Não enviado: o código PIX já não podia ser pago.");
  expect(reasonFor({ obsoleteReason: "unpayable", ...uncertain })).toBe(
    `O código PIX já não pode ser pago. ${UNCERTAIN}`,
  );
  expect(reasonFor({ isOverLimit: true })).toMatch(/já recebeu 5 e-mails de pedidos não pagos/);
  for (const kind of ["purchase", "access"] as const)
    expect(reasonFor({ isOverLimit: true, kind })).toMatch(/já recebeu 10 e-mails de pedidos gratuitos/);
});

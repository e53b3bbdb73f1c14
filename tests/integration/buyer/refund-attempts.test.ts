import { expect, test, vi } from "vitest";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import { attemptRefund, attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { findOpenRefundRequests } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { findRefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { findRefundRequest } from "#app/domain/refund/request/list-refund-requests.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { derivePayments, type KnownRefund } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { DAY } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { log } from "#app/platform/log.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

/**
 * A purchase paid by PIX that many days ago. Its account's key is gone, so that no refund can be sent.
 * @param hasExtras it also has expired codes and overpayments, which its provider refunds no more
 */
async function purchase(paidDaysAgo = 1, hasExtras = false) {
  const seller = await makeSeller();
  const paidAt = daysAgo(paidDaysAgo);
  const sale = await makeSale(await makeProduct(seller), { status: "completed", completedAt: paidAt });
  const addExtras = async () => {
    await makeCharge(sale, { status: "expired" });
    await makeCharge(sale, { status: "paid", paidAt: daysAgo(100), overpaidAt: daysAgo(100) });
  };
  // Before and after the payment that counts: no order of rows finds it by chance.
  if (hasExtras) await addExtras();
  const charge = await makeCharge(sale, { status: "paid", paidAt });
  if (hasExtras) await addExtras();
  const state = () =>
    findRefundRequestState({ sellerId: seller.id, saleId: sale.id, status: "completed", paidAt });
  return { seller, sale, charge, state };
}

type Sold = Awaited<ReturnType<typeof purchase>>["sale"];

/** A request by right that is due, as a row. @returns its id */
async function addRequest(
  sale: { id: string; sellerId: string },
  { attempts = 0, nextAttemptAt = new Date() as Date | null } = {},
): Promise<string> {
  const [row] = await sql`insert into refund_requests (sale_id, seller_id, kind, attempts, next_attempt_at)
    values (${sale.id}, ${sale.sellerId}, 'right', ${attempts}, ${nextAttemptAt}) returning id`;
  return row!.id;
}

async function requestOf(saleId: string) {
  const [row] =
    await sql`select attempts, failure, answer, length(reason) as reason, length(answer_text) as text,
    round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes from refund_requests where sale_id = ${saleId}`;
  return row!;
}

/** The mails about a sale's request, the newest last. */
async function mailsOf(saleId: string) {
  const rows = opened(
    await sql`select kind, subject, body_sealed from ${mailsWithTexts()} where sale_id = ${saleId}
      and kind in ('refund-news', 'refund-asked') order by created_at, kind`,
  ) as unknown as { kind: string; payload: { subject: string; html: string } }[];
  return rows.map(({ kind, payload: { subject, html } }) => ({ kind, subject: subject.split(":")[0], html }));
}

const subjectsOf = async (saleId: string) => (await mailsOf(saleId)).map(({ subject }) => subject);

test.each([
  [0, 5],
  [1, 60],
  [2, 360],
  [3, 1440],
  [31, 1440],
])("after %i failed attempts and another one the next is due in %i minutes", async (attempts, minutes) => {
  const { sale } = await purchase();
  await addRequest(sale, { attempts });
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await requestOf(sale.id)).toMatchObject({
    ...{ attempts: attempts + 1, minutes },
    failure: expect.stringContaining("A conexão com o provedor deste pagamento não existe mais"),
  });
  expect(await subjectsOf(sale.id)).toEqual(["Um reembolso não saiu", "O reembolso está demorando"]);
});

test("the last attempt leaves the refund to the seller, and tells both and the log", async () => {
  const { sale } = await purchase();
  const refundRequestId = await addRequest(sale, { attempts: 32 });
  const warn = vi.spyOn(log, "warn");
  await attemptRefunds.handle({}, { number: 1, last: false });
  const why = expect.stringContaining("A conexão com o provedor");
  expect(warn).toHaveBeenCalledWith({ refundRequestId, why }, "refund requested by a buyer failed");
  warn.mockRestore();
  expect(await requestOf(sale.id)).toMatchObject({ attempts: 33, minutes: null });
  expect(await subjectsOf(sale.id)).toEqual(["Devolva pelo banco", "Seu reembolso é feito por quem vendeu"]);
});

const isManual = (sale: { id: string; sellerId: string }) =>
  findRefundRequest(sale.sellerId, sale.id).then((found) => found?.state === "by-hand");

/** A refund of all of a charge that its provider has not answered yet. */
async function addPending(charge: { id: string }, sale: { sellerId: string }): Promise<string> {
  const [refund] =
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at)
    values (${charge.id}, ${sale.sellerId}, 9700, 'pending', 'requested', now()) returning id`;
  return refund!.id;
}

test.each([
  ["requested before", async (sale: Sold) => void (await addRequest(sale))],
  [
    "requested meanwhile",
    async (sale: Sold) => {
      await sql`update sales set guarantee_days = 365 where id = ${sale.id}`;
      await requestRefund(sale.customerEmail, sale.id, "Não abriu");
    },
  ],
  [
    "answered meanwhile",
    async (sale: Sold) => {
      await sql`insert into refund_requests (sale_id, seller_id, kind, reason)
        values (${sale.id}, ${sale.sellerId}, 'question', 'Não abriu')`;
      await answerRefundRequest(sale.sellerId, sale.id, { answer: "granted" });
    },
  ],
])(
  "while a refund is pending nobody is told to return it at the bank because the provider's time is over: %s",
  async (_, request) => {
    const { sale, charge, state } = await purchase(91);
    const refundId = await addPending(charge, sale);
    await request(sale);
    const attempt = async () => {
      const [due] = await sql`update refund_requests set next_attempt_at = now()
      where sale_id = ${sale.id} and next_attempt_at is not null returning id`;
      await attemptRefund(due!.id);
    };
    for (let day = 0; day < 2; day++) await attempt();
    const told = async () =>
      (await subjectsOf(sale.id)).filter((subject) => /banco|por quem vendeu/.test(subject!));
    expect(await told()).toEqual([]);
    expect(await isManual(sale)).toBe(false);
    expect((await state())?.state).not.toBe("by-hand");
    // It was not made: now the seller has to.
    await sql`update refunds set status = 'refused', ended_at = now() where id = ${refundId}`;
    await attempt();
    expect(await told()).toEqual(["Devolva pelo banco", "Seu reembolso é feito por quem vendeu"]);
    expect(await isManual(sale)).toBe(true);
    expect((await state())?.state).toBe("by-hand");
  },
);

test("a last attempt that is not answered, or dies, leaves the refund to the seller once it has ended", async () => {
  const makeDue = (id: string) =>
    sql`update refund_requests set next_attempt_at = now() where id = ${id} and next_attempt_at is not null`;
  for (const end of ["refused", "unconfirmed", "dead"]) {
    const { sale, charge } = await purchase();
    // Its provider has not answered yet.
    const refundId = await addPending(charge, sale);
    const id = await addRequest(sale, { attempts: 32 });
    await attemptRefund(id);
    // As long as the provider may still refund it, nobody is told to return it at the bank.
    for (let day = 0; day < 2; day++) {
      await makeDue(id);
      await attemptRefund(id);
    }
    expect(await isManual(sale), end).toBe(false);
    expect(await subjectsOf(sale.id), end).toEqual([]);
    if (end === "dead") await sql`delete from refunds where id = ${refundId}`;
    else await sql`update refunds set status = ${end}, ended_at = now() where id = ${refundId}`;
    for (let day = 0; day < 2; day++) {
      await makeDue(id);
      await attemptRefund(id);
    }
    expect(await isManual(sale), end).toBe(true);
    expect((await requestOf(sale.id)).minutes, end).toBeNull();
    expect(await subjectsOf(sale.id), end).toEqual([
      "Devolva pelo banco",
      "Seu reembolso é feito por quem vendeu",
    ]);
  }
});

test("an attempt is of one request, and of none that has nothing left to request", async () => {
  const [due, later, over] = [await purchase(), await purchase(), await purchase()];
  const dueId = await addRequest(due.sale);
  await addRequest(later.sale, { nextAttemptAt: new Date(Date.now() + DAY) });
  const overId = await addRequest(over.sale, { nextAttemptAt: null });
  for (const id of [dueId, overId]) await attemptRefund(id);
  const all = [due, later, over].map(async ({ sale }) => (await requestOf(sale.id)).attempts);
  expect(await Promise.all(all)).toEqual([1, 0, 0]);
});

test("a refund that was not confirmed is mailed as such only where it is the last one", async () => {
  const { sale, charge } = await purchase();
  // Of two requested at once the one with the greater id is the last.
  for (const [id, status, hours] of [
    ["00000000-0000-7000-8000-000000000003", "unconfirmed", 2],
    ["00000000-0000-7000-8000-000000000001", "unconfirmed", 1],
    ["00000000-0000-7000-8000-000000000002", "refused", 1],
  ] as const)
    await sql`insert into refunds (id, charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
      values (${id}, ${charge.id}, ${sale.sellerId}, 9700, ${status}, 'requested',
        ${charge.paidAt}::timestamptz - make_interval(hours => ${hours}), now())`;
  await attemptRefund(await addRequest(sale));
  expect(await subjectsOf(sale.id)).toEqual(["Um reembolso não saiu", "O reembolso está demorando"]);
});

test("a refund that its seller found not to have happened is no news for who asks for one afterwards", async () => {
  const { sale, charge, state } = await purchase();
  const add = (ago: string, dismissedAt: Date | null) =>
    sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, accepted_at, ended_at, dismissed_at)
      values (${charge.id}, ${sale.sellerId}, 9700, 'unconfirmed', 'requested',
        now() - ${ago}::interval, now() - ${ago}::interval, now(), ${dismissedAt})`;
  const statesOf = async () => {
    const refunds = await sql<KnownRefund[]>`select status, origin, amount_cents as "amountCents",
      requested_at as "requestedAt", accepted_at as "acceptedAt", ended_at as "endedAt", dismissed_at as "dismissedAt"
      from refunds where charge_id = ${charge.id} order by requested_at`;
    const own = { amountCents: 9700, completedAt: charge.paidAt, feeCents: null, refundedCents: 0 };
    const status = "completed" as const;
    const payments = derivePayments({ ...own, status, charges: [{ ...charge, refunds: [...refunds] }] });
    const open = await findOpenRefundRequests([{ saleId: sale.id, status, payments }]);
    return [await state(), open.get(sale.id)];
  };
  await add("2 hours", new Date());
  const requestId = await addRequest(sale);
  for (const one of await statesOf()) expect(one).toMatchObject({ state: "asked" });
  await attemptRefund(requestId);
  expect(await subjectsOf(sale.id)).toEqual(["Um reembolso não saiu", "O reembolso está demorando"]);
  for (const one of await statesOf()) expect(one).toMatchObject({ state: "delayed", isUnconfirmed: false });
  // A later one that nobody has looked at is.
  await add("1 hour", null);
  for (const one of await statesOf()) expect(one).toMatchObject({ state: "delayed", isUnconfirmed: true });
});

test("a refund that was accepted and never confirmed is not shown to its seller under an earlier refusal", async () => {
  const { seller, sale, charge } = await purchase();
  const stateForSeller = async () => (await findRefundRequest(seller.id, sale.id))!.state;
  const requestId = await addRequest(sale);
  expect(await stateForSeller()).toBe("requested");
  await attemptRefund(requestId);
  expect(await stateForSeller()).toBe("failing");
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, accepted_at, ended_at)
    values (${charge.id}, ${seller.id}, 9700, 'unconfirmed', 'requested', now(), now())`;
  expect(await stateForSeller()).toBe("unconfirmed");
  await sql`update refund_requests set failed_at = null, failure = null where id = ${requestId}`;
  expect(await stateForSeller()).toBe("unconfirmed");
  await sql`update refunds set dismissed_at = now() where charge_id = ${charge.id}`;
  expect(await stateForSeller()).toBe("requested");
});

test("beside expired codes and overpayments the payment that counts is requested back", async () => {
  // The payment of another purchase, which its provider refunds no more.
  const late = await purchase(100);
  const { sale, state } = await purchase(1, true);
  expect(await state()).toMatchObject({ state: "right", isManual: false, requestedAt: null });
  await requestRefund(sale.customerEmail, sale.id, "");
  expect(await requestOf(sale.id)).toMatchObject({
    ...{ attempts: 1, minutes: 5 },
    failure: expect.stringContaining("A conexão com o provedor deste pagamento não existe mais"),
  });
  await addRequest(late.sale, { nextAttemptAt: null });
  expect(await late.state()).toMatchObject({ state: "by-hand" });
  const paid = (of: { id: string }) => ({ saleId: of.id, status: "completed" as const, payments: [] });
  const open = await findOpenRefundRequests([paid(sale), paid(late.sale)]);
  expect([open.get(sale.id)?.state, open.get(late.sale.id)?.state]).toEqual(["delayed", "by-hand"]);
});

test("a question that is answered with yes is requested from the provider as long as that refunds its payment", async () => {
  const [late, inTime] = [await purchase(100), await purchase(40, true)];
  const grant = async ({ seller, sale }: typeof late) => {
    await requestRefund(sale.customerEmail, sale.id, "Não abriu");
    return answerRefundRequest(seller.id, sale.id, { answer: "granted" });
  };
  expect(await grant(late)).toEqual({ isManual: true });
  expect(await grant(inTime)).toEqual({ isManual: false });
  // A second press says the same, while the provider is still asked again and again.
  const again = ({ seller, sale }: typeof late) =>
    answerRefundRequest(seller.id, sale.id, { answer: "granted" });
  expect(await requestOf(inTime.sale.id)).toMatchObject({ attempts: 1, failure: expect.any(String) });
  expect([await again(late), await again(inTime)]).toEqual([{ isManual: true }, { isManual: false }]);
});

test("beside a refund that its seller requested a question waits for the provider, and one that was granted is asked for", async () => {
  const { sale, charge, state } = await purchase(40);
  await requestRefund(sale.customerEmail, sale.id, "Não abriu");
  expect(await state()).toMatchObject({ state: "waiting" });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
    values (${charge.id}, ${sale.sellerId}, 9700, 'pending', 'requested')`;
  expect(await state()).toEqual({ state: "requested", requestedAt: expect.any(Date) });
  await sql`update refund_requests set answer = 'granted', answered_at = now() where sale_id = ${sale.id}`;
  expect(await state()).toMatchObject({ state: "asked" });
  await sql`update refunds set accepted_at = now() where charge_id = ${charge.id}`;
  expect(await state()).toEqual({ state: "on-its-way" });
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${charge.id}`;
  expect(await state()).toMatchObject({ state: "delayed", isUnconfirmed: true });
});

test("a refund of a part, or of another payment, hides no request that waits for its seller", async () => {
  const { seller, sale, charge } = await purchase(40);
  const waits = async () => [
    (await findRefundRequest(seller.id, sale.id))?.state,
    ...(await findActionItems(seller.id)).map(({ kind }) => kind),
  ];
  const refund = (chargeId: string, cents: number) => sql`insert into refunds
    (charge_id, seller_id, amount_cents, status, origin) values (${chargeId}, ${seller.id}, ${cents}, 'pending', 'requested')`;
  await requestRefund(sale.customerEmail, sale.id, "Não abriu");
  const surplus = await makeCharge(sale, { status: "paid", paidAt: daysAgo(40), overpaidAt: daysAgo(40) });
  await refund(surplus.id, 9700);
  await refund(charge.id, 2000);
  expect(await waits()).toEqual(["waiting", "refund-question"]);
  await sql`update refunds set amount_cents = 9700 where charge_id = ${charge.id}`;
  expect(await waits()).toEqual(["requested"]);
  await sql`delete from refunds where charge_id = ${charge.id}`;
  await sql`update refund_requests set answer = 'granted', answered_at = now(), failed_at = now() where sale_id = ${sale.id}`;
  expect(await waits()).toEqual(["by-hand", "refund-by-hand"]);
  // What its seller gives back by hand beside it would go back twice.
  await refund(charge.id, 2000);
  expect(await waits()).toEqual(["requested"]);
});

test("a reason and an answer are kept up to 1000 characters, and mails lead to the purchase and the sale", async () => {
  const { seller, sale } = await purchase(40);
  await requestRefund(sale.customerEmail, sale.id, "a".repeat(1001));
  const declined = { answer: "declined", text: "b".repeat(1001) } as const;
  await answerRefundRequest(seller.id, sale.id, declined);
  const stored = { answer: "declined", reason: 1000, text: 1000, minutes: null, attempts: 0 };
  expect(await requestOf(sale.id)).toMatchObject(stored);
  const [toSeller, toBuyer, answered] = await mailsOf(sale.id);
  expect(toSeller!.html).toContain(`href="${process.env.APP_URL}${paths.sale(sale.id)}"`);
  for (const mail of [toBuyer, answered])
    expect(mail!.html).toContain(`href="${process.env.APP_URL}${paths.receipt(sale.id)}"`);
});

test("a question whose buyer was anonymized can be granted, without a mail, and not declined to nobody", async () => {
  const { seller, sale } = await purchase(40);
  await requestRefund(sale.customerEmail, sale.id, "Não abriu");
  const before = await subjectsOf(sale.id);
  await sql`update sales set customer_email = null where id = ${sale.id}`;
  const declined = answerRefundRequest(seller.id, sale.id, { answer: "declined", text: "Não" });
  await expect(declined).rejects.toMatchObject({ kind: "conflict" });
  expect(await requestOf(sale.id)).toMatchObject({ answer: null });
  await answerRefundRequest(seller.id, sale.id, { answer: "granted" });
  expect(await requestOf(sale.id)).toMatchObject({ answer: "granted" });
  // To the seller, who has no provider here.
  expect(await subjectsOf(sale.id)).toEqual([...before, "Um reembolso não saiu"]);
});

test("a request is open until all that is left of its payment is on its way", async () => {
  const { sale, charge } = await purchase();
  await addRequest(sale);
  const refund = (fields: Partial<KnownRefund>): KnownRefund => ({
    ...{ status: "pending", origin: "requested", amountCents: 9700, requestedAt: new Date() },
    ...{ acceptedAt: new Date(), endedAt: null, dismissedAt: null },
    ...fields,
  });
  const stateWith = async (refunds: KnownRefund[], status: SaleStatus = "completed") => {
    const paid = { ...charge, refunds };
    const own = { status, amountCents: 9700, completedAt: charge.paidAt, feeCents: null, refundedCents: 0 };
    const payments = derivePayments({ ...own, charges: [paid] });
    return (await findOpenRefundRequests([{ saleId: sale.id, status, payments }])).get(sale.id)?.state;
  };
  expect(await stateWith([])).toBe("asked");
  expect(await stateWith([refund({ amountCents: 9699 })])).toBe("asked");
  expect(await stateWith([refund({})])).toBeUndefined();
  const part = refund({ status: "done", amountCents: 2000 });
  expect(await stateWith([part, refund({ amountCents: 7700 })])).toBeUndefined();
  expect(await stateWith([], "refunded")).toBeUndefined();
});

test("a seller is told to refund by hand only where the attempts end with it, in whatever moment the process dies", async () => {
  const { sale } = await purchase(100);
  const id = await addRequest(sale);
  // The statement that ends the attempts fails, as where the process dies before it.
  await sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise 'died'; end $$;
    create trigger dies before update on refund_requests for each row when (new.next_attempt_at is null) execute function die()`);
  try {
    await expect(attemptRefund(id)).rejects.toThrow();
  } finally {
    await sql`drop function die cascade`;
  }
  expect([await requestOf(sale.id), await subjectsOf(sale.id)]).toMatchObject([{ failure: null }, []]);
  await attemptRefund(id);
  expect(await requestOf(sale.id)).toMatchObject({ failure: expect.any(String), minutes: null });
  expect(await subjectsOf(sale.id)).toContain("Devolva pelo banco");
});

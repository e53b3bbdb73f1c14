import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { closeAccount } from "#app/domain/erasure/close-account.server.ts";
import { mailClosings } from "#tests/integration/erasure/support.ts";
import { type Cell, type Scenario, views } from "#tests/integration/scenarios/scenario.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";
import { ORDERED, WAITING } from "#tests/integration/scenarios/unpaid.ts";
import type { View } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

/** What programs receive once the sale is paid. */
export const NOTIFIED_PAID = {
  webhook: [
    ...ORDERED.webhook,
    "sale.paid: completed 4700 refunded 0",
    "access.granted: completed 4700 refunded 0",
  ],
  "Kiwify webhook": [...ORDERED["Kiwify webhook"], "order_approved: paid 4700 commission 4665"],
  "Hotmart webhook": [...ORDERED["Hotmart webhook"], "PURCHASE_APPROVED: APPROVED 4700"],
  pixels: [...ORDERED.pixels, "ga4 purchase: 4700", "meta Purchase: 4700"].sort(),
  UTMify: [...ORDERED.UTMify, "paid: 4700 fee 35 commission 4665"],
};

/** A sale that was paid as it should be, and nothing else. */
export const BOUGHT: Record<View, Cell> = {
  "PIX screen": { lines: ["-> /thank-you/:saleId"] },
  "thank-you page": {
    shows: ["R$ 47,00", "Aprovado", "Garantia de 30 dias"],
    hides: [/devol/i, "Ver o código PIX"],
  },
  receipt: {
    shows: ["Total pago R$ 47,00", "Aprovada", "Desistir"],
    hides: ["Valor devolvido", /dois pagamentos/i, "E-mail com o PIX: não enviado"],
  },
  "buyer portal": { shows: ["Curso de Violão", "R$ 47,00", "Pago em"], hides: [/devolvido/i] },
  "mails to buyer": { shows: ["[Sua compra foi aprovada: Curso de Violão]"], hides: [/reembolso/i] },
  "event stream": { lines: ["completed paid"] },
  "status API": { lines: ["completed paid"] },
  "mails to seller": {
    shows: ["[Nova venda: R$ 47,00 (Curso de Violão)]"],
    hides: [/em dobro/, /reembols/i],
  },
  "action items": { lines: [] },
  "sales list": { shows: ["Concluída"] },
  "sale details": { shows: ["Concluída", "Líquido", "Reembolsar R$ 47,00"], hides: ["em dobro"] },
  "sale API": { shows: ['"status":"completed"', '"kind":"counts"'] },
  CSV: { shows: ["Concluída"] },
  reports: { shows: ['"total_revenue":47'] },
  funnel: { lines: ["seen 0, begun 0, pix 1, paid 1, offer 0"] },
  webhook: { lines: NOTIFIED_PAID.webhook },
  "Kiwify webhook": { lines: NOTIFIED_PAID["Kiwify webhook"] },
  "Hotmart webhook": { lines: NOTIFIED_PAID["Hotmart webhook"] },
  pixels: { lines: NOTIFIED_PAID.pixels },
  UTMify: { lines: NOTIFIED_PAID.UTMify },
};

export const PAYMENT = { received: 4700, refunded: 0, fee: 35 };

/** Twice a code was made; nothing else differs. */
const TWO_CODES = {
  webhook: { lines: [ORDERED.webhook[0]!, ORDERED.webhook[1]!, ...NOTIFIED_PAID.webhook.slice(1)] },
  "Kiwify webhook": { lines: [ORDERED["Kiwify webhook"][0]!, ...NOTIFIED_PAID["Kiwify webhook"]] },
  "Hotmart webhook": { lines: [ORDERED["Hotmart webhook"][0]!, ...NOTIFIED_PAID["Hotmart webhook"]] },
  pixels: {
    lines: [...NOTIFIED_PAID.pixels, "ga4 add_payment_info: 4700", "meta AddPaymentInfo: 4700"].sort(),
  },
};

/** The tests' second provider has a higher fee than PushinPay, and programs are notified of it. */
export function throughSecond(base: Record<View, Cell>): Record<View, Cell> {
  const cell = (view: View, from: string, to: string): Cell => {
    const was = base[view];
    return "lines" in was ? { lines: was.lines.map((line) => line.replace(from, to)) } : was;
  };
  return views(base, {
    "Kiwify webhook": cell("Kiwify webhook", "commission 4665", "commission 4601"),
    UTMify: cell("UTMify", "fee 35 commission 4665", "fee 99 commission 4601"),
  });
}

async function payTwice({ anotherCode, pay }: Stage): Promise<void> {
  await anotherCode();
  await pay(0);
  await pay(1);
}

const giveBack = (at: number) => async (stage: Stage) => {
  await stage.rig.giveBack(stage.charges[at]!.providerId);
  await stage.check(at);
};

/** A payment of another amount than the charge's: it completes nothing. */
const mismatched = (amount: string) =>
  views(WAITING, {
    "PIX screen": {
      shows: [amount, "diferente do valor do pedido (R$ 47,00)"],
      hides: ["expirou", "Copiar código"],
    },
    "thank-you page": {
      shows: [amount],
      hides: ["Ver o código PIX", "Aprovado", "Garantia de", "muda sozinha"],
    },
    "mails to buyer": { shows: [amount], hides: ["aprovada"] },
    "event stream": { lines: ["pending mispaid"] },
    "status API": { lines: ["pending mispaid"] },
    "mails to seller": { shows: [amount, "R$ 47,00"], hides: ["Você vendeu"] },
    "action items": { lines: ["PIX de outro valor"] },
    "sale details": { shows: [amount, "valor diferente"] },
    "sale API": { shows: ['"kind":"amount-mismatch"'] },
  });

/** Shown to every buyer once the account is closed, with the day. */
const ENDS = /encerrou a loja: o seu acesso a esta compra termina em \d\d\/\d\d\/\d{4}/;

export const PAID: Record<string, Scenario> = {
  paid: { play: ({ pay }) => pay(), status: "completed", money: PAYMENT, views: BOUGHT },
  "paid late": {
    async play({ rig, charges, check, pay }) {
      await rig.expire(charges[0]!.providerId);
      await check();
      await pay();
    },
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      webhook: {
        lines: [
          ...ORDERED.webhook,
          "pix.expired: pending 4700 refunded 0",
          ...NOTIFIED_PAID.webhook.slice(2),
        ],
      },
      "Hotmart webhook": {
        lines: [
          ORDERED["Hotmart webhook"][0]!,
          "PURCHASE_EXPIRED: EXPIRED 4700",
          "PURCHASE_APPROVED: APPROVED 4700",
        ],
      },
    }),
  },
  "paid twice": {
    play: payTwice,
    status: "completed",
    money: { received: 9400, refunded: 0, fee: 70 },
    views: views(BOUGHT, {
      ...TWO_CODES,
      "thank-you page": { shows: ["Recebemos um pagamento em dobro de R$ 47,00"], hides: ["muda sozinha"] },
      receipt: { shows: ["em dobro"] },
      "buyer portal": { shows: ["em dobro"] },
      "mails to buyer": { shows: ["[Recebemos um pagamento em dobro: R$ 47,00]"] },
      "mails to seller": { shows: ["[Pagamento em dobro: devolva R$ 47,00 (Curso de Violão)]"] },
      "action items": { lines: ["Pago duas vezes"] },
      "sale details": { shows: ["em dobro", "Devolva o pagamento em dobro"] },
      "sale API": { shows: ['"kind":"overpayment"'] },
    }),
  },
  "paid twice, the second given back": {
    async play(stage) {
      await payTwice(stage);
      await stage.deliver();
      await giveBack(1)(stage);
    },
    status: "completed",
    money: { received: 9400, refunded: 4700, fee: 70 },
    refund: "done",
    views: views(BOUGHT, {
      ...TWO_CODES,
      "thank-you page": { shows: [/devolvid/i, "R$ 47,00"], hides: ["será devolvido"] },
      receipt: { shows: [/devolvid/i] },
      "buyer portal": { shows: [/devolvid/i] },
      "mails to buyer": {
        shows: [/devolvid/i, "Com isso, voltou por inteiro o pagamento em dobro", "Avisamos "],
        hides: ["Faz parte do", "foi avisado"],
      },
      "mails to seller": {
        shows: [
          "[Pagamento em dobro: devolva R$ 47,00 (Curso de Violão)]",
          "[Devolvido no provedor: R$ 47,00 (Curso de Violão)]",
          "o acesso do comprador não muda",
        ],
        hides: ["terminou"],
      },
      "sale details": { shows: ["em dobro"], hides: ["Devolva o pagamento em dobro"] },
      "sale API": { shows: ['"refund_status":"done"'] },
    }),
  },
  "paid with more": {
    play: ({ pay }) => pay(0, 5000),
    status: "pending",
    money: { received: 5000, refunded: 0, fee: 35 },
    views: mismatched("R$ 50,00"),
  },
  "paid with less": {
    play: ({ pay }) => pay(0, 1000),
    status: "pending",
    money: { received: 1000, refunded: 0, fee: 35 },
    views: mismatched("R$ 10,00"),
  },
  "paid with less, given back": {
    async play(stage) {
      await stage.pay(0, 1000);
      await stage.deliver();
      await giveBack(0)(stage);
    },
    status: "pending",
    money: { received: 1000, refunded: 1000, fee: 35 },
    refund: "done",
    views: views(mismatched("R$ 10,00"), {
      "PIX screen": {
        shows: ["R$ 10,00", /devolvid/i, "Gere um novo código"],
        hides: ["expirou", "será reconhecido"],
      },
      "thank-you page": {
        shows: ["R$ 10,00", /devolvid/i, "Código já usado"],
        hides: ["Aprovado", "Garantia de", "expir", "será reconhecido"],
      },
      "mails to buyer": {
        shows: ["R$ 10,00", "Com isso, voltou por inteiro o PIX de outro valor", "Ainda quer comprar?"],
        hides: ["aprovada", "Faz parte do"],
      },
      "mails to seller": {
        shows: ["[Devolvido no provedor: R$ 10,00 (Curso de Violão)]", "o acesso do comprador não muda"],
        hides: ["Você vendeu", "terminou"],
      },
      "action items": { lines: [] },
      "event stream": { lines: ["pending used"] },
      "status API": { lines: ["pending used"] },
      "sale API": { shows: ['"kind":"amount-mismatch"', '"refund_status":"done"'] },
    }),
  },
  "e-mail corrected by the buyer": {
    async play(stage) {
      await stage.pay();
      await stage.deliver();
      stage.formerEmails.push(stage.email);
      stage.email = `nova-${stage.email}`;
      await correctEmail(stage.saleId, stage.email);
    },
    status: "completed",
    money: PAYMENT,
    views: corrected(),
  },
  "e-mail corrected by the seller": {
    async play(stage) {
      await stage.pay();
      await stage.deliver();
      stage.formerEmails.push(stage.email);
      stage.email = `nova-${stage.email}`;
      await editCustomer(stage.seller.id, stage.saleId, { name: "Bia Compradora", email: stage.email });
    },
    status: "completed",
    money: PAYMENT,
    views: corrected(),
  },
  "the mail bounced": {
    mailDomain: "resend.dev",
    async play({ saleId, pay, deliver }) {
      await pay();
      await deliver();
      // The mail provider reports it by its webhook.
      await until(async () => {
        const rows =
          await sql`select 1 from mails where sale_id = ${saleId} and kind = 'purchase' and bounced_at is not null`;
        return rows.length > 0;
      });
    },
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      receipt: { shows: ["não entregue"], hides: ["E-mail da compra: devolvido"] },
      "buyer portal": { shows: ["não entregue"] },
      "action items": { lines: ["O e-mail com o acesso não chegou"] },
      "sale details": { shows: ["Líquido"] },
    }),
  },
  "account closed": {
    async play(stage) {
      const { seller, pay, deliver } = stage;
      await pay();
      await deliver();
      const [session] = await sql`select id from sessions where seller_id = ${seller.id}`;
      await closeAccount({ id: seller.id, sessionId: session!.id });
      stage.isClosed = true;
      await mailClosings(seller.id);
    },
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      "mails to buyer": {
        shows: [
          "[Sua compra foi aprovada: Curso de Violão]",
          /\[Baixe o que você comprou até \d\d\/\d\d\/\d{4}: Curso de Violão\]/,
          /termina em \d\d\/\d\d\/\d{4}/,
        ],
      },
      "mails to seller": { shows: ["Quem comprou é avisado por e-mail de até quando tem acesso"] },
      "thank-you page": { shows: ["R$ 47,00", "Aprovado", ENDS] },
      receipt: { shows: ["Total pago R$ 47,00", "Aprovada", ENDS] },
      "buyer portal": { shows: ["Curso de Violão", ENDS] },
      ...Object.fromEntries(
        (["action items", "sales list", "sale details", "sale API", "CSV", "reports", "funnel"] as const).map(
          (view) => [view, { cannot: "The account is closed: nobody is signed in to it." }],
        ),
      ),
    }),
  },
};

function corrected(): Record<View, Cell> {
  return views(BOUGHT, {
    "thank-you page": {
      cannot: "The link that went to the former address opens nothing.",
      hides: ["Baixar"],
    },
    "mails to buyer": { shows: ["[O e-mail de uma compra foi corrigido", "por nova-bia"] },
  });
}

import { closeAccount } from "#app/domain/erasure/close-account.server.ts";
import { type Cell, type Scenario, views } from "#tests/integration/scenarios/scenario.ts";
import type { View } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";

export const ORDERED = {
  webhook: ["checkout.started: pending 4700 refunded 0", "pix.generated: pending 4700 refunded 0"],
  "Kiwify webhook": ["pix_created: waiting_payment 4700 commission 4700"],
  "Hotmart webhook": ["PURCHASE_BILLET_PRINTED: BILLET_PRINTED 4700"],
  pixels: [
    "ga4 add_payment_info: 4700",
    "ga4 begin_checkout: 4700",
    "meta AddPaymentInfo: 4700",
    "meta InitiateCheckout: 4700",
  ],
  UTMify: ["waiting_payment: 4700 fee 0 commission 4700"],
};

const NO_RECEIPT = { cannot: "A receipt is of a purchase that was paid.", hides: ["Total pago"] };

/** An order whose code can be paid. */
export const WAITING: Record<View, Cell> = {
  "PIX screen": { shows: ["R$ 47,00", "Copiar código"] },
  "thank-you page": {
    shows: ["R$ 47,00", "Ver o código PIX"],
    hides: ["Aprovado", "Seu acesso", "Garantia de"],
  },
  receipt: NO_RECEIPT,
  "buyer portal": { cannot: "It lists what was paid.", hides: ["Curso de Violão"] },
  "mails to buyer": { shows: ["[Seu PIX para Curso de Violão está esperando]"], hides: ["aprovada"] },
  "event stream": { lines: ["pending payable"] },
  "status API": { lines: ["pending payable"] },
  "mails to seller": { lines: [] },
  "action items": { lines: [] },
  "sales list": { shows: ["Pendente"] },
  "sale details": { shows: ["Pendente", "R$ 47,00"], hides: ["Reembolsar R$"] },
  "sale API": { shows: ['"status":"pending"'] },
  CSV: { shows: ["47,00"] },
  reports: { shows: ['"total_revenue":0'] },
  funnel: { lines: ["seen 0, begun 0, pix 1, paid 0, offer 0"] },
  webhook: { lines: ORDERED.webhook },
  "Kiwify webhook": { lines: ORDERED["Kiwify webhook"] },
  "Hotmart webhook": { lines: ORDERED["Hotmart webhook"] },
  pixels: { lines: ORDERED.pixels },
  UTMify: { lines: ORDERED.UTMify },
};

const NOTHING = { received: 0, refunded: 0, fee: null };

/** An order that failed; its page offers another code. */
const FAILED = views(WAITING, {
  "thank-you page": { shows: ["R$ 47,00"], hides: ["Ver o código PIX", "Aprovado", "Garantia de"] },
  "event stream": { lines: ["failed failed"] },
  "status API": { lines: ["failed failed"] },
  "sales list": { shows: ["Falhou"] },
  "sale API": { shows: ['"status":"failed"'] },
  webhook: { lines: [...ORDERED.webhook, "sale.refused: failed 4700 refunded 0"] },
  "Kiwify webhook": {
    lines: [...ORDERED["Kiwify webhook"], "order_rejected: refused 4700 commission 4700"],
  },
  "Hotmart webhook": { lines: [...ORDERED["Hotmart webhook"], "PURCHASE_CANCELED: CANCELED 4700"] },
  UTMify: { lines: [...ORDERED.UTMify, "refused: 4700 fee 0 commission 4700"] },
});

export const UNPAID: Record<string, Scenario> = {
  waiting: { play: async () => {}, status: "pending", money: NOTHING, views: WAITING },
  expired: {
    async play({ rig, charges, check, saleId, deliver }) {
      await deliver();
      await rig.expire(charges[0]!.providerId);
      await check();
      await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId}`;
    },
    status: "pending",
    money: NOTHING,
    views: views(WAITING, {
      "PIX screen": { shows: [/gere um novo código|Gerar (um )?novo/i], hides: ["Copiar código"] },
      "thank-you page": { shows: ["R$ 47,00"], hides: ["Ver o código PIX", "Aprovado", "Garantia de"] },
      "event stream": { lines: ["pending over"] },
      "status API": { lines: ["pending over"] },
      webhook: { lines: [...ORDERED.webhook, "pix.expired: pending 4700 refunded 0"] },
      "Hotmart webhook": { lines: [...ORDERED["Hotmart webhook"], "PURCHASE_EXPIRED: EXPIRED 4700"] },
    }),
  },
  cancelled: {
    async play({ rig, charges, check, deliver }) {
      await deliver();
      await rig.cancel(charges[0]!.providerId);
      await check();
    },
    status: "failed",
    money: NOTHING,
    views: views(FAILED, {
      "PIX screen": { shows: ["Pagamento não aprovado"], hides: ["Copiar código"] },
      "mails to seller": {
        shows: ["Um pagamento foi cancelado"],
        hides: ["Você vendeu", /confira a conexão/i, "falhou"],
      },
      "sale details": { shows: ["Falhou"], hides: ["Reembolsar R$"] },
    }),
  },
  "provider down": {
    async play({ rig, anotherCode }) {
      await rig.fail("create", "no-answer", 9);
      for (let attempt = 0; attempt < 3; attempt++) await anotherCode().catch(() => {});
      await rig.fail("create", "no-answer", 0);
    },
    status: "pending",
    money: NOTHING,
    views: views(WAITING, {
      "action items": { lines: ["A PushInPay não está gerando códigos PIX"] },
      "PIX screen": {
        shows: ["Não foi possível gerar o PIX", "Gerar novo PIX", "Se você já pagou um código anterior"],
        hides: ["Copiar código", "não aprovado", "ada foi cobrado"],
      },
      "thank-you page": {
        shows: ["R$ 47,00", "Não foi possível gerar o PIX"],
        hides: ["Aprovado", "não aprovado", "Garantia de"],
      },
      "event stream": { lines: ["pending unmade"] },
      "status API": { lines: ["pending unmade"] },
    }),
  },
  "seller's key invalid": {
    async play({ rig, anotherCode }) {
      await rig.fail("create", "credentials", 9);
      await anotherCode().catch(() => {});
      await rig.fail("create", "credentials", 0);
    },
    status: "pending",
    money: NOTHING,
    views: views(WAITING, {
      "PIX screen": {
        shows: ["Não foi possível gerar o PIX", "Gerar novo PIX", "Se você já pagou um código anterior"],
        hides: ["Copiar código", "não aprovado", "ada foi cobrado"],
      },
      "thank-you page": {
        shows: ["R$ 47,00", "Não foi possível gerar o PIX"],
        hides: ["Aprovado", "não aprovado", "Garantia de"],
      },
      "event stream": { lines: ["pending unmade"] },
      "status API": { lines: ["pending unmade"] },
      "mails to seller": {
        shows: ["A PushInPay recusou a sua chave"],
        hides: ["Você vendeu", "Um pagamento falhou"],
      },
      "action items": { lines: ["A PushInPay recusou a sua API Key"] },
      "sale details": { shows: [/chave/i] },
    }),
  },
  "the next code is refused by the provider": {
    async play({ rig, anotherCode, deliver }) {
      await deliver();
      await rig.fail("create", "refused", 9);
      await anotherCode().catch(() => {});
      await rig.fail("create", "refused", 0);
    },
    status: "failed",
    money: NOTHING,
    views: views(FAILED, {
      "PIX screen": {
        shows: ["Pagamento não aprovado", "Se você já pagou, o pagamento será reconhecido", "Gerar novo PIX"],
        hides: ["Copiar código", "ada foi cobrado", "O acesso vai para"],
      },
      "mails to seller": {
        shows: ["O PIX não foi gerado"],
        hides: ["Você vendeu", "Um pagamento foi cancelado"],
      },
      "sale details": {
        shows: ["Falhou", "O código PIX não foi gerado pela PushInPay: recusado"],
        hides: ["Reembolsar R$"],
      },
    }),
  },
  "account closed before the payment": {
    async play(stage) {
      await stage.deliver();
      const [session] = await sql`select id from sessions where seller_id = ${stage.seller.id}`;
      await closeAccount({ id: stage.seller.id, sessionId: session!.id });
      stage.isClosed = true;
    },
    status: "pending",
    money: NOTHING,
    views: views(WAITING, {
      "PIX screen": {
        shows: [
          "Copiar código",
          /encerrou a loja\. Se você pagar, o acesso a esta compra termina em \d\d\/\d\d\/\d{4}/,
        ],
      },
      "mails to seller": { shows: [/encerrada/i], hides: ["Você vendeu"] },
      ...Object.fromEntries(
        (["action items", "sales list", "sale details", "sale API", "CSV", "reports", "funnel"] as const).map(
          (view) => [view, { cannot: "The account is closed: nobody is signed in to it." }],
        ),
      ),
    }),
  },
};

import { z } from "zod";
import type { OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
import {
  choiceFields,
  requireProducts,
  requireThat,
} from "#app/domain/delivery/destination-fields.server.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import {
  accessOf,
  areaOf,
  judgeAccess,
  nationalPhone,
  personalTexts,
} from "#app/domain/delivery/member-area/access.ts";
import {
  accessEvents,
  closes,
  memberAreaDefaults,
  memberFields,
  TOKEN_MISSING,
} from "#app/domain/delivery/member-area/member-kind.server.ts";
import { type MemberSettings, NO_SETTINGS } from "#app/domain/delivery/member-area/settings.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import {
  itemCode,
  type NotificationLine,
  type SaleNotification,
} from "#app/domain/delivery/sale-notification.ts";
import {
  type SingleOrder,
  shortCode,
  singleOrders,
} from "#app/domain/delivery/webhook/single-orders.server.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * Cademí's custom postback: one delivery for each line. The fields and `aprovado` are what other
 * working integrations send. The status that ends access is documented nowhere: `cancelado` is a guess, and the screen says
 * so.
 */
const service = memberAreaDefaults({
  service: "cademi",
  title: "Cademí",
  text: "Cada produto vendido vira uma entrega; na Cademí você diz o que ela libera.",
  token: "Token",
  where: "Na Cademí, em Configurações, copie o Token das integrações.",
  revokesText:
    "Enviamos a mesma entrega com o status cancelado. A Cademí não publica a palavra que encerra um acesso: no primeiro reembolso, confira lá se ele acabou.",
  before: [
    {
      ...{ type: "text", name: "area", label: "Endereço da área", placeholder: "minha-escola" },
      ...{ suffix: ".cademi.com.br", maxLength: 300, isRequired: true, isCode: true },
      help: "O começo do endereço que a Cademí deu à sua área, também onde ela tem um domínio próprio.",
    },
  ],
  after: [
    {
      ...{ type: "toggle", name: "with_document", label: "Enviar CPF ou CNPJ do comprador" },
      briefly: "Enviar CPF ou CNPJ",
      help: "Ligue apenas se a sua área precisa dele. Nome, e-mail e telefone sempre vão.",
    },
  ],
  products: { type: "products" },
  copies: "A Cademí guarda cada entrega pelo código: a mesma de novo não libera duas vezes.",
  test: {
    text: "Envia uma venda inventada com o e-mail abaixo: use o seu. Se o produto já está ligado na Cademí, o acesso é liberado de verdade.",
    fields: [
      { type: "email", name: "email", label: "E-mail que recebe o acesso" },
      { type: "item", name: "item", label: "Produto" },
    ],
    ...{ submit: "Enviar teste", pending: "Testando..." },
    more: { tab: "produtos", label: "Como ligar os produtos" },
    done: () => "Teste aceito pelo serviço.",
  },
  render: (notification, to) => {
    const access = accessOf(notification);
    if ("skipReason" in access) return access;
    const codedOrders: Order[] = notification.isTest
      ? [testOrder(notification, to)]
      : ordersWithCode(notification);
    if (codedOrders.length === 0) return { skipReason: "nothing-to-say" };
    const orders = codedOrders.filter(({ line }) => !notification.stillOwnedCodes.includes(itemCode(line)!));
    if (orders.length === 0) return { skipReason: "still-held" };
    const status = access.opens ? "aprovado" : "cancelado";
    const email = notification.isTest ? areaOf(to).test.email : access.email;
    // If Cademí opens by the order, what was bought twice is open by both: the last to end closes each.
    const codes = orders.map(({ line }) => itemCode(line));
    const held = notification.heldLines.filter((line) => codes.includes(itemCode(line)));
    for (const { orderId: id, ...line } of held) orders.push({ id, line });
    return orders.map((order) => JSON.stringify(delivery(notification, to, { order, status, email })));
  },
  partOf: (body) => orderOf(parseUntrusted(body) as { codigo: string }),
  buildRequest: ({ body }, to) => {
    const fields = parseUntrusted(body) as Record<string, unknown>;
    return {
      url: `${areaAddress(areaOf(to).area)}/api/postback/custom`,
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ token: to.token ?? "", ...fields }),
      secrets: [to.token ?? "", ...personalTexts(fields, NAMES)],
    };
  },
  judge,
});

/** An area's name in its address: `minha-escola` of `minha-escola.cademi.com.br`. */
const AREA = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const form = z
  .object({
    kind: z.literal("cademi"),
    ...memberFields,
    area: z.string().max(300, "Até 300 caracteres").default("").transform(areaName),
    with_document: z.boolean().default(false),
    scope: choiceFields.scope,
    products: choiceFields.products,
  })
  .superRefine((typed, context) => {
    requireThat(context, AREA.test(typed.area), "area", "Informe o começo do endereço, como minha-escola");
    requireProducts(context, typed);
  });

export const cademi = {
  ...service,
  schema: form,
  emptyValues: { name: service.title, area: "", with_document: false, revokes: true },
  valuesOf: ({ settings: { area, withDocument }, events }) => ({
    ...{ area, with_document: withDocument, revokes: closes(events) },
  }),
  columnsOf: ({ area, with_document, revokes }, { saved }) => ({
    events: accessEvents(revokes),
    settings: { ...NO_SETTINGS, ...saved, area, withDocument: with_document },
  }),
  // A key goes to no other area than it was given for.
  tokenRules: { isNeeded: ({ area }, saved) => saved.area !== area, missing: TOKEN_MISSING },
  changesReceiver: ({ area }, saved, isNewToken) => isNewToken || saved?.area !== area,
  receiverText: ({ area }) => `O acesso ao que você vende passa a ser liberado em Cademí, área ${area}.`,
  address: ({ area }) => `Cademí · ${area}.cademi.com.br`,
  tabs: [{ id: "produtos", label: "Produtos" }],
  testValues: ({ test: { email, item } }) => ({ email, item }),
  settingsForTest({ email: typed = "", item = "" }, saved, items) {
    const email = cleanPasted(typed).toLowerCase();
    const chosen = items.find(({ code }) => code === item);
    if (!isMailAddress(email)) throw new Refusal("invalid", "Informe o e-mail que recebe o acesso.", "email");
    if (!chosen) throw new Refusal("invalid", "Escolha o produto do teste.", "item");
    return { ...saved, test: { email, item, name: chosen.name } };
  },
} satisfies ListedKind<z.output<typeof form>, MemberSettings>;

/** The area's name in a pasted address: `https://minha-escola.cademi.com.br/area` → `minha-escola`. */
function areaName(typed: string): string {
  const host = cleanPasted(typed)
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .split(/[/?#]/)[0]!;
  return host.endsWith(".cademi.com.br") ? host.slice(0, -".cademi.com.br".length) : host;
}

const NAMES = ["cliente_email", "cliente_nome", "cliente_celular", "cliente_doc"];

/** The address of an area: always one of Cademí's own, except for the sandbox. */
export function areaAddress(area: string, base = env.CADEMI_BASE_URL ?? null): string {
  const name = encodeURIComponent(area);
  return base ? `${withoutEnd(base, "/")}/${name}` : `https://${name}.cademi.com.br`;
}

/** A line without its number has no code that Cademí could know. */
function ordersWithCode(notification: SaleNotification): SingleOrder[] {
  return singleOrders(notification).filter(({ line }) => itemCode(line) !== null);
}

function testOrder(notification: SaleNotification, to: OpenDestination): Order {
  const [order] = singleOrders(notification);
  return { ...order!, line: { ...order!.line, name: areaOf(to).test.name } };
}

/** An order of one item; `line` as far as Cademí is told of it. */
type Order = Pick<SingleOrder, "id"> & { line: Pick<NotificationLine, "kind" | "itemId" | "name"> };

type Delivery = { order: Order; status: string; email: string };

function delivery(notification: SaleNotification, to: OpenDestination, { order, status, email }: Delivery) {
  const { customer, isTest } = notification;
  const { withDocument, test } = areaOf(to);
  return {
    // An order is for one e-mail: when that is corrected, the old order ends and the new one does not.
    codigo: `${order.id}-${shortCode(email.toLowerCase(), 6)}`,
    status,
    produto_id: isTest ? test.item : itemCode(order.line),
    produto_nome: order.line.name,
    cliente_email: email,
    cliente_nome: customer.name ?? email,
    // An invented number may be somebody's.
    cliente_celular: isTest ? undefined : nationalPhone(customer.phone),
    ...(withDocument && customer.document ? { cliente_doc: customer.document } : {}),
  };
}

/** The order's id in its code, whichever e-mail it is for. */
function orderOf({ codigo }: { codigo: string }): string {
  return codigo.slice(0, codigo.lastIndexOf("-"));
}

/** Each field by itself: if one is malformed, the other still counts. */
const ANSWER = z.object({ success: z.unknown().optional(), code: z.unknown().optional() });
/** The ways they may write no; a missing value is not one. */
const NO_VALUES: unknown[] = [false, 0, "false", "0"];

/** A 200 may be a refusal: the body decides, and its `code` means what it would mean as a status. */
function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { success, code } = readAnswer(answer.body, ANSWER) ?? {};
  if (!NO_VALUES.includes(success)) return { result: "taken", reason: "taken" };
  return judgeAccess({ ...answer, status: Number(code) }) ?? { result: "refused", reason: "rejected" };
}

import { z } from "zod";
import { INACTIVE_PRODUCT_TEXT, MAX_SOURCE_LENGTH } from "#app/domain/checkout/link/build-link.ts";
import { createLink } from "#app/domain/checkout/link/create-link.server.ts";
import { env } from "#app/platform/env.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { moment } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const text = (max = 200) => z.string().max(max).default("");
const source = text(MAX_SOURCE_LENGTH);

const body = z.object({
  product_id: z.int({ error: "product_id é obrigatório" }).positive(),
  offer_id: z
    .uuid()
    .nullable()
    .default(null)
    .meta({ description: "Uma oferta com endereço próprio; sem ela, o endereço do produto" }),
  quantity: z.int().positive().nullable().default(null).meta({ description: "Unidades da oferta" }),
  customer_name: text(),
  customer_email: text(300),
  customer_phone: text(),
  customer_document: text().meta({ description: "CPF ou CNPJ" }),
  coupon: text().meta({ description: "O código de um cupom" }),
  order_bumps: z.array(z.int()).max(50).default([]).meta({ description: "Order bumps já marcados" }),
  utm_source: source,
  utm_medium: source,
  utm_campaign: source,
  utm_content: source,
  utm_term: source,
  src: source,
  sck: source,
  expires_at: z.iso
    .datetime({ offset: true, error: "expires_at é um momento como 2026-12-31T23:59:00-03:00" })
    .optional()
    .meta({
      description:
        "Até quando o link preenche os dados do comprador: sem ele, 7 dias; no máximo 30. Depois, abre o checkout sem eles",
    }),
});

const answer = z.object({
  url: z.string().meta({ description: "O endereço do checkout. Trate-o como os dados que ele preenche" }),
  expires_at: moment.nullable().meta({ description: "null: o link não leva dados do comprador" }),
  warning: z.string().optional().meta({
    description: "Por que o link ainda não abre, em português: o produto está inativo",
  }),
});

/** Links to a checkout for CRMs. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Cria um link para o checkout, com os dados do comprador já preenchidos",
      details:
        "Nome, e-mail, telefone e CPF/CNPJ vão cifrados no link: não aparecem no endereço nem em registros de acesso. Quem recebe o link vê esses dados no formulário, e o link pode ser aberto mais de uma vez: mande-o só a quem eles pertencem. Nada é guardado aqui. Até 600 por minuto.",
      needs: "sales",
      rateLimited: true,
      body,
      answer,
      status: 201,
      example: {
        body: {
          product_id: "$PRODUCT",
          customer_name: "Ana Lima",
          customer_email: "ana@exemplo.com.br",
          customer_phone: "11987654321",
          customer_document: "52998224725",
          utm_source: "crm",
        },
      },
    },
    async ({ seller, request, read }) => {
      await throttle("checkout-link", request, seller.id);
      const {
        product_id: productId,
        offer_id: offerId,
        order_bumps: bumpIds,
        expires_at,
        coupon,
        quantity,
        ...fields
      } = await read();
      const { path, expiresAt, isActive } = await createLink(seller.id, {
        ...fields,
        ...{ productId, offerId, quantity },
        coupon,
        bumpIds,
        source: fields,
        expiresAt: expires_at ? new Date(expires_at) : null,
      });
      const link = { url: env.APP_URL + path, expires_at: expiresAt?.toISOString() ?? null };
      return json(isActive ? link : { ...link, warning: INACTIVE_PRODUCT_TEXT }, 201);
    },
  ),
});

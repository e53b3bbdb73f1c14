import type { Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  checkoutCustomizations,
  storeDetails,
  thankYouCustomizations,
} from "#app/db/schema/storefront.server.ts";
import { newToken } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { EVENTS_OF_FORM, type WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";
import { newSecret } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { randomToken, seal } from "#app/platform/secrets.server.ts";

type Item = { id: number; name: string; priceCents: number; fileUrl: string | null };
type Stock = { product: Item; bumps: Item[]; upsells: Item[] };
/** The demo's seller and products; the first product is the one every demonstration shows. */
export type DemoShop = { sellerId: string; stocks: Stock[] };

const file = (name: string) => `${env.APP_URL}/demo/${name}`;

/** The demo's account for cards. It creates no PIX codes. */
async function takeCards(tx: Tx, sellerId: string, opened: Date): Promise<void> {
  const provider = "mercadopago";
  const [key] = await tx
    .insert(gatewayKeys)
    .values({
      sellerId,
      provider,
      apiKeySealed: seal("APP_USR-sandbox-demo"),
      createdAt: opened,
      acceptedAt: opened,
    })
    .returning({ id: gatewayKeys.id });
  await tx.insert(gatewayAccounts).values({
    ...{ sellerId, provider, cardsEnabledAt: opened, keyId: key!.id, hookToken: randomToken() },
    publicKeySealed: seal("APP_USR-sandbox-publica"),
  });
}

/** The demo's seller with account, gateway, design and products. Money in cents. */
export async function makeDemoShop(tx: Tx): Promise<DemoShop> {
  const opened = new Date(Date.now() - 120 * DAY);
  const [seller] = await tx
    .insert(sellers)
    .values({
      email: "vendedor@exemplo.com.br",
      emailVerifiedAt: opened,
      name: "Helena Duarte",
      company: "Cordas & Cia",
      phone: "+5511987654321",
      passwordHash: await hashPassword("demonstracao-123"),
      createdAt: opened,
    })
    .returning({ id: sellers.id });
  const sellerId = seller!.id;
  const provider = "pushinpay";
  const [key] = await tx
    .insert(gatewayKeys)
    .values({
      sellerId,
      provider,
      apiKeySealed: seal("1|sandbox-demo"),
      createdAt: opened,
      acceptedAt: opened,
    })
    .returning({ id: gatewayKeys.id });
  await tx.insert(gatewayAccounts).values({
    sellerId,
    provider,
    enabledAt: opened,
    keyId: key!.id,
    hookToken: randomToken(),
  });
  await takeCards(tx, sellerId, opened);
  await makeWebhook(tx, sellerId);
  await tx.insert(checkoutCustomizations).values({
    sellerId,
    settings: {
      brand_name: "Cordas & Cia",
      order_bump_title: "Leve junto",
      order_bump_subtitle: "Quem compra costuma levar também.",
      support_contact: "vendedor@exemplo.com.br",
    },
  });
  await tx.insert(storeDetails).values({
    sellerId,
    legalName: "Cordas e Cia Ensino de Música Ltda.",
    taxId: "11222333000181",
    street: "Rua das Violas",
    number: "120",
    complement: "Sala 4",
    district: "Vila Madalena",
    city: "São Paulo",
    state: "SP",
    postalCode: "05433000",
    email: "vendedor@exemplo.com.br",
    phone: "+551132345678",
  });
  await tx.insert(thankYouCustomizations).values({
    sellerId,
    settings: {
      custom_message:
        "<p>Que bom ter você aqui! Tudo o que você comprou está nesta página: <strong>guarde o link</strong>.</p>",
    },
  });
  return { sellerId, stocks: await makeStocks(tx, sellerId, opened) };
}

/** A webhook at the sandbox's receiver, whose page shows what arrived; a shop without a sandbox gets none. */
async function makeWebhook(tx: Tx, sellerId: string): Promise<void> {
  if (!env.sandboxUrl) return;
  const settings: WebhookSettings = {
    url: `${env.sandboxUrl}/receiver/demonstracao`,
    form: "standard",
    withDocument: false,
  };
  await tx.insert(destinations).values({
    sellerId,
    kind: "webhook",
    name: "Receptor da sandbox",
    events: [...EVENTS_OF_FORM.standard],
    settings,
    secretSealed: seal(newSecret()),
    tokenSealed: seal(newToken()),
  });
}

async function makeStocks(tx: Tx, sellerId: string, createdAt: Date): Promise<Stock[]> {
  const guitar = await stock(tx, {
    product: {
      sellerId,
      createdAt,
      name: "Curso de Violão: do zero às primeiras músicas",
      description:
        "40 aulas em vídeo, no seu ritmo. Em oito semanas você troca acordes sem parar e toca dez músicas inteiras.",
      priceCents: 9700,
      originalPriceCents: 19700,
      discountPercentage: 51,
      imageUrl: file("curso-de-violao.svg"),
      fileUrl: file("curso-de-violao.pdf"),
      promotionText: "Acesso vitalício, com certificado",
      urgencyText: "Comece hoje: o acesso é liberado assim que o PIX é pago",
      bannerImageUrl: file("banner-violao.svg"),
      checkoutSlug: "curso-de-violao",
    },
    bumps: [
      {
        name: "Apostila com 120 cifras",
        description: "Cifras simplificadas, prontas para imprimir, da MPB ao rock nacional.",
        priceCents: 1990,
        originalPriceCents: 3990,
        imageUrl: file("apostila-de-cifras.svg"),
        fileUrl: file("apostila-de-cifras.pdf"),
        promotionText: "Só neste pedido",
      },
      {
        name: "30 bases para tocar junto",
        description: "Bateria, baixo e teclado em três andamentos: treine como se estivesse numa banda.",
        priceCents: 2700,
        originalPriceCents: 4700,
        imageUrl: file("bases-para-tocar.svg"),
        fileUrl: file("bases-para-tocar.pdf"),
        urgencyText: "A preferida dos alunos",
      },
    ],
    upsells: [
      {
        name: "Mentoria ao vivo em grupo",
        description: "Quatro encontros ao vivo por mês para corrigir postura, ritmo e troca de acordes.",
        priceCents: 14700,
        originalPriceCents: 29700,
        imageUrl: file("mentoria.svg"),
        fileUrl: file("mentoria.pdf"),
        benefits: ["Turmas de até 12 alunos", "Gravações por seis meses", "Suas dúvidas respondidas no dia"],
      },
      {
        name: "Teoria musical sem mistério",
        description: "Entenda escalas, campo harmônico e por que os acordes combinam.",
        priceCents: 6700,
        originalPriceCents: 12700,
        imageUrl: file("teoria-musical.svg"),
        fileUrl: file("teoria-musical.pdf"),
        benefits: ["22 aulas curtas", "Exercícios com gabarito", "Aplicado direto no violão"],
      },
    ],
  });
  const sheet = await stock(tx, {
    product: {
      sellerId,
      createdAt,
      name: "Planilha Casa em Ordem",
      description:
        "As contas da família num lugar só: quanto entra, quanto sai e quanto sobra no fim do mês.",
      priceCents: 4700,
      imageUrl: file("casa-em-ordem.svg"),
      fileUrl: file("casa-em-ordem.pdf"),
      checkoutSlug: "casa-em-ordem",
    },
    bumps: [
      {
        name: "Aula: sair das dívidas em 6 passos",
        description: "Uma hora de vídeo com o passo a passo na própria planilha.",
        priceCents: 1700,
        fileUrl: file("sair-das-dividas.pdf"),
      },
    ],
    upsells: [],
  });
  const bread = await stock(tx, {
    product: {
      sellerId,
      createdAt,
      name: "E-book Pães de Fermentação Natural",
      description: "Do fermento ao forno: 24 receitas testadas em forno comum.",
      priceCents: 2990,
      imageUrl: file("paes.svg"),
      fileUrl: file("paes.pdf"),
      deactivatedAt: new Date(Date.now() - 9 * DAY),
    },
    bumps: [],
    upsells: [],
  });
  return [guitar, sheet, bread];
}

async function stock(
  tx: Tx,
  goods: {
    product: typeof products.$inferInsert;
    bumps: Omit<typeof orderBumps.$inferInsert, "productId" | "sellerId">[];
    upsells: Omit<typeof upsells.$inferInsert, "productId" | "sellerId">[];
  },
): Promise<Stock> {
  const [product] = await tx.insert(products).values(goods.product).returning();
  const positioned = <T>(item: T, position: number) => ({
    ...item,
    ...{ position, productId: product!.id, sellerId: product!.sellerId },
  });
  const bumps = goods.bumps.length
    ? await tx.insert(orderBumps).values(goods.bumps.map(positioned)).returning()
    : [];
  const insertedUpsells = goods.upsells.length
    ? await tx.insert(upsells).values(goods.upsells.map(positioned)).returning()
    : [];
  return { product: product!, bumps, upsells: insertedUpsells };
}

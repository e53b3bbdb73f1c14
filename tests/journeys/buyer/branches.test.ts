import type { Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { clientKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  fillCheckout,
  openPage,
  savePicture,
  waitForThanks,
} from "#tests/support/clients/browser.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import {
  EVERYTHING_ON,
  makeCheckoutSettings,
  makeThankYouSettings,
} from "#tests/support/rows/make-storefront.ts";
import { EVERY_WAY, longTest, testInTurn } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let plain: Awaited<ReturnType<typeof makeProduct>>;
let gone: Awaited<ReturnType<typeof makeProduct>>;
let dressed: Awaited<ReturnType<typeof makeProduct>>;

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller();
  await makeGateway(seller);
  plain = await makeProduct(seller, { checkoutSlug: `simples-${shop}` });
  gone = await makeProduct(seller, { archivedAt: new Date() });
  const other = await makeSeller();
  await makeGateway(other);
  await makeCheckoutSettings(other, { ...EVERYTHING_ON, brand_logo_url: "" });
  await makeThankYouSettings(other, {
    title: "Bem-vinda!",
    subtitle: "Vamos começar.",
    custom_message: "<p>Afine o violão. <script>alert(1)</script></p>",
    download_button_text: "Baixar agora",
    redirect_url: `https://membros.exemplo.com.br/`,
    auto_redirect_seconds: 5,
  });
  dressed = await makeProduct(other, { checkoutSlug: `vestido-${shop}`, originalPriceCents: 19700 });
  await makeBump(dressed, { fileUrl: "https://arquivos.exemplo.com.br/cifras.pdf" });
  app = await sharedApp();
});

async function pixOf(page: Page): Promise<{ saleId: string; transactionId: string }> {
  // a double click without script ends its own first navigation: waitForURL fails on that one, a locator does not
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const transaction = (await app.sandbox.transactions()).find((t) => t.qr_code === code)!;
  return { saleId: new URL(page.url()).pathname.split("/").at(-1)!, transactionId: transaction.id };
}

async function order(page: Page, email: string): Promise<{ saleId: string; transactionId: string }> {
  await page.goto(`/checkout/s/simples-${shop}`);
  await fillCheckout(page, { email });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  return pixOf(page);
}

test("every setting of the seller shows, and nothing fails axe", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/s/vestido-${shop}`);
  for (const text of [
    "Turma de novembro",
    "Leve também",
    "Só nesta página",
    "Garantia de 15 dias",
    "ajuda@aurora.com.br",
  ]) {
    expect(await page.getByText(text).first().isVisible(), text).toBe(true);
  }
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Estúdio Aurora");
  expect(await page.getByText(/Oferta expira em: 1[45]:\d\d/).isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "Termos de uso" }).getAttribute("href")).toBe(
    "https://exemplo.com.br/termos",
  );
  expect(await page.getByRole("button", { name: "Quero começar agora" }).isVisible()).toBe(true);
  await expectNoSeriousAxe(page);
  await savePicture(page, "checkout-dressed-360");
});

longTest("fields that a seller does not collect are not there and not required", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeProduct(seller, { checkoutSlug: "curto" });
  await makeCheckoutSettings(seller, { require_document: false, require_phone: false, require_name: false });
  const page = await openPage({ url: app.url });
  await page.goto("/checkout/s/curto");
  expect(await page.getByRole("textbox").count()).toBe(1);
  await page.getByLabel("Seu melhor e-mail").fill("curto@gmail.com");
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await pixOf(page);
});

longTest("the confirmation is compared while typing, and a mistyped mail domain is noticed", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/s/vestido-${shop}`);
  await page.getByLabel("Seu melhor e-mail").fill("ana@gmial.com");
  await page.getByLabel("Confirme seu e-mail").fill("ana@gm");
  await page.getByText("⚠️ Os e-mails não coincidem").waitFor();
  await page.getByText("Você quis dizer ana@gmail.com?").waitFor();
  await page.getByRole("button", { name: "Sim, usar ana@gmail.com" }).click();
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("ana@gmail.com");
  await page.getByLabel("Confirme seu e-mail").fill("ana@gmail.com");
  await page.getByText("✅ E-mails coincidem").waitFor();
});

test("at zero the offer is over: the button states it and the submit is refused with a text", async () => {
  const page = await openPage({ url: app.url });
  await page.clock.install();
  await page.goto(`/checkout/s/vestido-${shop}`);
  await fillCheckout(page, { email: "tarde@gmail.com" });
  await page.getByLabel("Confirme seu e-mail").fill("tarde@gmail.com");
  await page.clock.runFor(15 * 60 * 1000 + 2000);
  const button = page.getByRole("button", { name: "Oferta Expirada" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await button.click({ force: true });
  await page.getByText("Esta oferta expirou! Recarregue a página para uma nova oportunidade.").waitFor();
  await page.reload();
  expect(await page.getByText(/Oferta expira em: 1[45]:\d\d/).isVisible()).toBe(true);
});

test.each([-1, 1])(
  "a device whose clock is %i hour off orders, and shows the time that is left",
  async (hours) => {
    const page = await openPage({ url: app.url });
    await page.clock.setSystemTime(Date.now() + hours * HOUR);
    await page.goto(`/checkout/s/vestido-${shop}`);
    await fillCheckout(page, { email: `relogio${hours}@gmail.com` });
    await page.getByLabel("Confirme seu e-mail").fill(`relogio${hours}@gmail.com`);
    await page.getByRole("button", { name: "Quero começar agora" }).click();
    await pixOf(page);
    const left = page.getByRole("timer").locator("time");
    await until(async () => /^(30:00|29:\d\d)$/.test((await left.textContent()) ?? ""));
  },
);

test("on a device whose clock is seconds ahead a code's time runs to its end, and the page goes on", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  for (const told of ["**/events", "**/api/payments/pushinpay/status/**"])
    await page.route(told, (route) => route.abort());
  allowTroubles(/ERR_FAILED/);
  const sale = await makeSale(plain);
  const expiresAt = new Date(Date.now() + 50_000);
  await makeCharge(sale, { pixCode: "00020126580014br.gov.bcb.pix", expiresAt });
  await page.clock.install({ time: Date.now() + 55_000 });
  await page.goto(`/thank-you/${sale.id}`);
  await page.getByText(/^O código PIX expira em 00:\d\d$/).waitFor();
  await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${sale.id}`;
  await page.clock.fastForward(55_000);
  await page.clock.runFor(5000);
  await page.getByRole("heading", { name: "O código PIX expirou" }).waitFor();
});

test("the address prefills the form, and such a page is not cached", async () => {
  const path = `/checkout/s/simples-${shop}?name=Ana%20Lima&email=ana%40gmail.com&phone=11987654321&document=52998224725`;
  const page = await openPage({ url: app.url, javaScript: false });
  await page.goto(path);
  expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
  expect(await page.getByLabel("CPF").inputValue()).toBe("52998224725");
  expect(new URL(page.url()).search).not.toContain("52998224725");
  expect(await page.getByLabel("WhatsApp").inputValue()).toBe("11987654321");
  for (const one of [path, page.url()])
    expect((await app.fetch(one)).headers.get("cache-control")).toBe("private, no-store");
});

test("if events are blocked the page polls, and polls at once when it is shown again", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.route("**/events", (route) => route.abort());
  const { saleId, transactionId } = await order(page, "sem-eventos@gmail.com");
  await app.sandbox.pay(transactionId);
  await until(
    async () => (await sql`select 1 from sales where id = ${saleId} and status = 'completed'`).length === 1,
    {
      what: "settlement",
    },
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByText("🎉 Redirecionando para página de confirmação...").waitFor();
  await page.waitForURL("**/thank-you/**");
  allowTroubles(/ERR_FAILED/);
});

test("if events are blocked, the pages of a card in review ask what became of it once they are shown again", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.route("**/events", (route) => route.abort());
  allowTroubles(/ERR_FAILED/);
  const inReview = async (path: string) => {
    const sale = await makeSale(plain, { paymentMethod: "card" });
    const card = { provider: "mercadopago", method: "card", instalments: 1 } as const;
    const { id } = await makeCharge(sale, { ...card, status: "in_review" });
    await page.goto(`${path}/${sale.id}`);
    await page.getByRole("heading", { name: "O seu pagamento está em análise" }).waitFor();
    return { saleId: sale.id, chargeId: id };
  };
  const look = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const { chargeId } = await inReview("/thank-you");
  await sql`update charges set status = 'declined', decline_reason = 'call-issuer' where id = ${chargeId}`;
  await look();
  await page.getByRole("heading", { name: "O cartão não foi aprovado" }).waitFor();
  const { saleId } = await inReview("/checkout/cartao");
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleId}`;
  await look();
  await page.waitForURL(`**/thank-you/${saleId}`);
});

test("the page polls after 10 s, then every 30 s, at most 30 times", async () => {
  const page = await openPage({ url: app.url });
  let checks = 0;
  await page.route("**/events", (route) => route.abort());
  await page.route("**/api/payments/pushinpay/status/**", (route) => {
    checks += 1;
    return route.fulfill({ json: { success: true, status: "pending" } });
  });
  // Only we advance the page's clock: a slow machine changes nothing.
  await page.clock.install({ time: new Date("2026-11-21T12:00:00Z") });
  await page.clock.pauseAt(new Date("2026-11-21T12:00:01Z"));
  await order(page, "paciente@gmail.com");
  allowTroubles(/ERR_FAILED/);
  const last = page.locator("[data-last]");
  /** No poll before `seconds`, and one then, whose answer the page has processed before its clock goes on. */
  const checkAfter = async (seconds: number) => {
    const [before, said] = [checks, await last.textContent()];
    await page.clock.runFor((seconds - 1) * 1000);
    expect(checks).toBe(before);
    await page.clock.runFor(2000);
    await expect.poll(() => last.textContent()).not.toBe(said);
    expect(checks).toBe(before + 1);
  };
  await checkAfter(10);
  expect(await last.textContent()).toMatch(/Última verificação às \d\d:\d\d/);
  await checkAfter(29);
  for (let checkNumber = 3; checkNumber <= 30; checkNumber++) {
    if (EVERY_WAY) await checkAfter(29);
    else {
      // The next poll is set once the page has processed this one's answer.
      const said = await last.textContent();
      await page.clock.runFor(31_000);
      await expect.poll(() => last.textContent()).not.toBe(said);
      expect(checks).toBe(checkNumber);
    }
  }
  await page.clock.runFor(300_000);
  expect(checks).toBe(30);
});

test("an open page learns that its code expired at the provider, or was never created", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const { transactionId } = await order(page, "cedo-demais@gmail.com");
  await app.sandbox.expire(transactionId);
  await page.getByRole("heading", { name: "Este código PIX expirou" }).waitFor();
  expect(await page.getByRole("button", { name: "Copiar código" }).count()).toBe(0);

  const sale = await makeSale(plain);
  const { id: chargeId } = await makeCharge(sale, { status: "creating", pixCode: null });
  await page.goto(`/checkout/pix/${sale.id}`);
  await page.getByRole("heading", { name: "Estamos gerando o seu PIX" }).waitFor();
  await sql`update charges set status = 'failed', failure_kind = 'no-answer' where id = ${chargeId}`;
  const look = () => document.dispatchEvent(new Event("visibilitychange"));
  // The page may have left for the next screen already: its events report the failure as well.
  await page.evaluate(look).catch(() => {});
  await page.getByRole("button", { name: "Gerar novo PIX" }).waitFor();
});

longTest(
  "an unpaid purchase's open page learns that the code expired, or the card was declined",
  async () => {
    const page = await openPage({ url: app.url, width: 360 });
    const { saleId, transactionId } = await order(page, "outra-aba@gmail.com");
    await page.goto(`/thank-you/${saleId}`);
    await page.getByRole("heading", { name: "Estamos aguardando o seu pagamento" }).waitFor();
    await app.sandbox.expire(transactionId);
    await page.getByRole("heading", { name: "O código PIX expirou" }).waitFor();

    const sale = await makeSale(plain, { paymentMethod: "card" });
    const card = { provider: "mercadopago", method: "card", instalments: 1 } as const;
    const { id } = await makeCharge(sale, { ...card, status: "unknown" });
    await page.goto(`/thank-you/${sale.id}`);
    await page.getByText("esta página muda sozinha assim que o banco responder").waitFor();
    await sql`update charges set status = 'declined', decline_reason = 'call-issuer' where id = ${id}`;
    await sql`select pg_notify('sale', ${sale.id})`;
    await page.getByRole("heading", { name: "O cartão não foi aprovado" }).waitFor();
  },
);

longTest("an unpaid purchase's open page shows when its code ends, and by itself that it has", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.route("**/events", (route) => route.abort());
  await page.route("**/api/payments/pushinpay/status/**", (route) => route.abort());
  const { saleId } = await order(page, "acabou@gmail.com");
  await page.clock.install();
  await page.goto(`/thank-you/${saleId}`);
  await page.getByText(/^O código PIX expira em \d\d:\d\d$/).waitFor();
  // Nothing tells the page: its provider has not said so yet.
  await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${saleId}`;
  await page.clock.fastForward("02:00:00");
  await page.clock.runFor(5000);
  allowTroubles(/ERR_FAILED/);
  await page.getByRole("heading", { name: "O código PIX expirou" }).waitFor();
  expect(await page.getByRole("link", { name: "Ver o código PIX" }).count()).toBe(0);
});

longTest("an unpaid purchase's open page stays as it is while it is told what it shows", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const { saleId } = await order(page, "espera@gmail.com");
  /** Marks the page, and reads three streams of its own one after the other: the page's own stream is told the same. */
  const told = () =>
    page.evaluate(async () => {
      document.body.dataset.marked = "";
      const { events } = document.querySelector<HTMLElement>("payment-watch")!.dataset;
      const summaries: string[] = [];
      while (summaries.length < 3) {
        const stream = new EventSource(events!);
        summaries.push(
          await new Promise((resolve) => {
            stream.addEventListener("standing", ({ data }) => resolve(data));
          }),
        );
        stream.close();
      }
      return summaries;
    });
  const isUnchanged = () => page.evaluate(() => "marked" in document.body.dataset);
  await page.goto(`/thank-you/${saleId}`);
  await page.getByRole("heading", { name: "Estamos aguardando o seu pagamento" }).waitFor();
  expect(await told()).toEqual(Array(3).fill("payable"));
  expect(await isUnchanged()).toBe(true);

  await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${saleId}`;
  await sql`select pg_notify('sale', ${saleId})`;
  await page.getByRole("heading", { name: "O código PIX expirou" }).waitFor();
  expect(await told()).toEqual(Array(3).fill("over"));
  expect(await isUnchanged()).toBe(true);
});

describe.each([true, false])("with JavaScript %s", (javaScript) => {
  const it = testInTurn(javaScript ? 0 : 1);
  it("coming back to the form finds it filled, with the campaign in its address", async () => {
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    const email = `volta-${javaScript}@gmail.com`;
    await page.goto(`/checkout/s/simples-${shop}?utm_source=ig&sck=a%20b&fbclid=x1`);
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    const { saleId } = await pixOf(page);
    await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${saleId}`;
    await page.reload();
    await page.getByRole("link", { name: "Voltar ao formulário" }).click();
    await page.waitForURL(`**/checkout/s/simples-${shop}?**`);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      utm_source: "ig",
      sck: "a b",
      fbclid: "x1",
      retry: "1",
    });
    expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe(email);
    expect(await page.getByLabel("WhatsApp").inputValue()).toBe("(11) 98765-4321");
  });

  it("an expired code is replaced by a fresh one with one click, and paying the old one is shown at once", async () => {
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    const old = await order(page, `vencido-${javaScript}@gmail.com`);
    await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${old.saleId}`;
    await page.reload();
    await page.getByRole("heading", { name: "Este código PIX expirou" }).waitFor();
    await expectNoSeriousAxe(page);
    await page.getByRole("button", { name: "Gerar novo PIX" }).click();
    await page.getByRole("heading", { name: "Pague com PIX" }).waitFor();
    const fresh = await pixOf(page);
    expect(fresh.saleId).toBe(old.saleId);
    expect(fresh.transactionId).not.toBe(old.transactionId);
    await app.sandbox.pay(old.transactionId);
    // The provider was called a moment ago and refuses for a minute; its webhook is shown at once.
    await until(async () => {
      if (!javaScript) await page.reload();
      return page.getByText("Recebemos o aviso do seu pagamento").isVisible();
    });
    expect(await page.getByRole("button", { name: "Gerar novo PIX" }).count()).toBe(0);
  });

  it("a price raised while the form was being filled is shown before it is charged, bumps included", async () => {
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    await page.goto(`/checkout/s/vestido-${shop}?utm_source=ig`);
    await fillCheckout(page, { email: `subiu-${javaScript}@gmail.com` });
    await page.getByLabel("Confirme seu e-mail").fill(`subiu-${javaScript}@gmail.com`);
    await page.getByRole("checkbox").check();
    await sql`update products set price_cents = 12700 where id = ${dressed.id}`;
    await sql`update order_bumps set price_cents = 2990 where product_id = ${dressed.id}`;
    await page.getByRole("button", { name: "Quero começar agora" }).click();
    await page.getByText("agora o total é R$ 156,90 (antes, R$ 116,90)").waitFor();
    expect(await page.locator(".sum[data-total]").textContent()).toBe("R$ 156,90");
    expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
    // A lower price is charged without a question.
    await sql`update products set price_cents = 9700 where id = ${dressed.id}`;
    await page.getByRole("button", { name: "Quero começar agora" }).click();
    const { saleId } = await pixOf(page);
    const [sale] = await sql`select amount_cents, utm_source from sales where id = ${saleId}`;
    expect(sale).toEqual({ amount_cents: 12690, utm_source: "ig" });
    await sql`update order_bumps set price_cents = 1990 where product_id = ${dressed.id}`;
    allowTroubles(/status of 409/);
  });

  it("a screen whose code expired shows its late payment by itself", async () => {
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    const { saleId, transactionId } = await order(page, `tarde-${javaScript}@gmail.com`);
    await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${saleId}`;
    await page.reload();
    await page.getByRole("heading", { name: "Este código PIX expirou" }).waitFor();
    if (!javaScript)
      expect(await page.locator("noscript meta[http-equiv=refresh]").getAttribute("content")).toBe("60");
    await app.sandbox.pay(transactionId);
    await waitForThanks(page);
  });

  it("a screen whose code expired offers no fresh one for a missing product", async () => {
    const sale = await makeSale(gone);
    await makeCharge(sale, { expiresAt: new Date(Date.now() - 1000) });
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    await page.goto(`/checkout/pix/${sale.id}`);
    await page.getByText("Este produto não está mais à venda.").waitFor();
    expect(await page.getByRole("button", { name: "Gerar novo PIX" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Já paguei - Verificar status" }).isVisible()).toBe(true);
    await expectNoSeriousAxe(page);
  });

  it("a failed payment states it and can be retried without typing", async () => {
    const sale = await makeSale(plain, { status: "failed" });
    await makeCharge(sale, { status: "cancelled" });
    const page = await openPage({ javaScript, url: app.url });
    await page.goto(`/checkout/pix/${sale.id}`);
    await page.getByRole("heading", { name: "Pagamento não aprovado" }).waitFor();
    await page.getByText("Se você já pagou, o pagamento será reconhecido.").waitFor();
    await page.getByRole("button", { name: "Gerar novo PIX" }).click();
    await page.getByRole("heading", { name: "Pague com PIX" }).waitFor();
  });

  it("an owner of the product is told before a second charge and may continue", async () => {
    const email = `dona-${javaScript}@gmail.com`;
    const page = await openPage({ javaScript, url: app.url });
    const { transactionId } = await order(page, email);
    await app.sandbox.pay(transactionId);
    await waitForThanks(page);
    await page.goto(`/checkout/s/simples-${shop}`);
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.getByText("Você já comprou este produto.").waitFor();
    expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await pixOf(page);
    const stranger = await openPage({ javaScript, url: app.url });
    await order(stranger, email);
    allowTroubles(/status of 409/);
  });

  it("an owner who asks for the access link is answered at its own address, and Back keeps the checkout", async () => {
    const email = `dona-link-${javaScript}@gmail.com`;
    const page = await openPage({ javaScript, url: app.url });
    const { transactionId } = await order(page, email);
    await app.sandbox.pay(transactionId);
    await waitForThanks(page);
    await page.goto(`/checkout/s/simples-${shop}`);
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.getByRole("button", { name: "Receber o link de acesso" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/thank-you");
    allowTroubles(/status of 409/);
    if (!javaScript) return;
    await page.goBack();
    await page.getByRole("button", { name: "Comprar Agora" }).waitFor();
    await expect.poll(() => page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
  });

  it("Back and a second submit are the same sale; another device gets its own", async () => {
    const email = `de-novo-${javaScript}@gmail.com`;
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    const first = await order(page, email);
    await page.goBack();
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    expect(await pixOf(page)).toEqual(first);
    const other = await openPage({ javaScript, url: app.url });
    expect((await order(other, email)).saleId).not.toBe(first.saleId);
  });

  it("a double click is one sale", async () => {
    const email = `duplo-${javaScript}@gmail.com`;
    const page = await openPage({ javaScript, url: app.url });
    await page.goto(`/checkout/s/simples-${shop}`);
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).dblclick({ noWaitAfter: true });
    await pixOf(page);
    expect(await sql`select 1 from sales where customer_email = ${email}`).toHaveLength(1);
  });

  it("the access link comes again by mail, and the answer is the same for an address that never bought", async () => {
    const sale = await makeSale(plain, {
      status: "completed",
      customerEmail: `perdi-${javaScript}@gmail.com`,
    });
    const page = await openPage({ javaScript, url: app.url, width: 360 });
    await page.goto(`/checkout/s/simples-${shop}`);
    await page.getByRole("link", { name: "Já comprei" }).click();
    await expectNoSeriousAxe(page);
    await page.getByLabel("E-mail da compra").fill(`perdi-${javaScript}@gmail.com`);
    await page.getByRole("button", { name: "Receber o link de acesso" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    const answer = await page.locator("main").innerText();
    await until(
      async () => JSON.stringify(await app.sandbox.emails(`perdi-${javaScript}@gmail.com`)).includes(sale.id),
      {
        what: "the mail with the link",
      },
    );
    await page.goto("/thank-you");
    await page.getByLabel("E-mail da compra").fill(`nunca-${javaScript}@gmail.com`);
    await page.getByRole("button", { name: "Receber o link de acesso" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    const other = await page.locator("main").innerText();
    expect(other.replace("nunca", "perdi")).toBe(answer);
  });
});

test("the thank-you page obeys the seller: texts, downloads of bumps, a redirect that can be stopped", async () => {
  const sale = await makeSale(dressed, { status: "completed" });
  await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, position, name, price_cents, file_url)
    values (${sale.id}, (select seller_id from sales where id = ${sale.id}), 'bump', null, 1, 'Apostila de cifras', 1990, 'https://arquivos.exemplo.com.br/cifras.pdf')`;
  const page = await openPage({ url: app.url, width: 360 });
  await page.route(/membros\.exemplo/, (route) => route.fulfill({ body: "área de membros" }));
  await page.clock.install();
  await page.goto(`/thank-you/${sale.id}`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Bem-vinda!");
  expect(await page.getByText("Afine o violão.").isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "Baixar agora" }).isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "Baixar Apostila de cifras" }).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Ficar aqui" }).click();
  // A busy machine checks the page for longer than it waits.
  await expectNoSeriousAxe(page);
  await page.clock.runFor(6000);
  expect(page.url()).toContain("/thank-you/");
  await page.reload();
  await page.clock.runFor(6000);
  await page.waitForURL("https://membros.exemplo.com.br/");
});

test("an unpaid purchase gives nothing away", async () => {
  const sale = await makeSale(dressed);
  await makeCharge(sale);
  const html = await (await app.fetch(`/thank-you/${sale.id}`)).text();
  expect(html).toContain("⏳ Processando");
  for (const secret of [
    "/download/",
    "membros.exemplo",
    "Afine o violão",
    "arquivos.exemplo",
    sale.customerEmail,
  ]) {
    expect(html).not.toContain(secret);
  }
});

test("one unpaid order too many is refused with the time to wait, and the form keeps what was typed", async () => {
  const longest = new Date(Date.now() - 50 * 60_000);
  const address = newAddress();
  const earlier = { customerEmail: "muitos@gmail.com", clientKey: clientKeys(address)[0]! };
  await makeSale(plain, { ...earlier, createdAt: longest });
  for (let i = 0; i < 11; i++) await makeSale(plain, earlier);
  const fields = {
    customer_name: "Ana Lima",
    customer_email: "muitos@gmail.com",
    customer_document: "529.982.247-25",
    customer_phone: "(11) 98765-4321",
  };
  const body = new URLSearchParams(fields);
  const headers = { "X-Forwarded-For": address };
  const answer = await app.fetch(`/checkout/s/simples-${shop}`, { method: "POST", headers, body });
  expect(answer.status).toBe(429);
  // Until the first of them is an hour old.
  const expectTheWait = ({ headers }: Response) => {
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(600);
  };
  expectTheWait(answer);
  const html = await answer.text();
  expect(html).toContain("Este e-mail já tem 12 pedidos sem pagamento nesta loja na última hora.");
  for (const value of Object.values(fields)) expect(html).toContain(`value="${value}"`);
  const requested = await app.fetch("/api/payments/pushinpay", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ ...fields, product_id: plain.id }),
  });
  expect(requested.status).toBe(429);
  expectTheWait(requested);
  // A stranger who uses up the limit of a buyer's address does not block the buyer.
  expect((await app.fetch(`/checkout/s/simples-${shop}`, { method: "POST", body })).status).toBe(303);
});

longTest("the whole checkout can be walked with the keyboard", async () => {
  const page = await openPage({ url: app.url });
  await page.goto(`/checkout/s/vestido-${shop}`);
  const keys = page.keyboard;
  await page.getByLabel("Nome completo").focus();
  await keys.type("Ana Lima");
  await keys.press("Tab");
  await keys.type("teclado@gmail.com");
  await keys.press("Tab");
  await keys.type("teclado@gmail.com");
  await keys.press("Tab");
  await keys.type("52998224725");
  await keys.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Usar CNPJ");
  await keys.press("Tab");
  await keys.type("11987654321");
  await keys.press("Tab");
  await keys.press("Space");
  await expect.poll(() => page.locator(".sum[data-total]").textContent()).toBe("R$ 116,90");
  await keys.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.className)).toContain("buy");
  await keys.press("Enter");
  await pixOf(page);
  const roles = await page.locator("main").ariaSnapshot();
  for (const part of [
    'heading "Pagamento Iniciado" [level=1]',
    'img "QR code do PIX"',
    'button "Copiar código"',
  ]) {
    expect(roles).toContain(part);
  }
});

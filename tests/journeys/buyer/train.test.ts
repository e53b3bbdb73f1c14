import type { Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { allowTroubles, fillCheckout, openPage, waitForThanks } from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";
import { everyNth, longTest, testInTurn } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** A buyer on a train: the network comes and goes, pages are left and returned to. */
let app: App;
let plain: Awaited<ReturnType<typeof makeProduct>>;
let withUpsell: Awaited<ReturnType<typeof makeProduct>>;

const NO_NETWORK = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED/;
const UNSENT = "Erro ao processar pagamento. Nada foi cobrado e seus dados continuam aqui. Tente novamente.";

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller();
  await makeGateway(seller);
  plain = await makeProduct(seller, { checkoutSlug: `trem-${shop}` });
  await makeBump(plain);
  withUpsell = await makeProduct(seller, { name: "Curso de Baixo" });
  await makeUpsell(withUpsell, { name: "Mentoria em grupo" });
  await makeThankYouSettings(seller, {
    redirect_url: "https://membros.exemplo.com.br/",
    auto_redirect_seconds: 5,
  });
  app = await sharedApp();
});

/** What makes a page navigate by itself, and where it then is. */
const LEAVING = {
  "its payment is told": { begin: pay, to: /\/thank-you\// },
  "another amount came in": {
    begin: async (page: Page) => {
      const id = saleIdOf(page);
      await sql`update charges set status = 'mispaid', paid_at = now(), paid_cents = 100 where sale_id = ${id}`;
      await sql`select pg_notify('sale', ${id})`;
    },
    to: "Recebemos um PIX de outro valor",
  },
  "its code ran out": {
    begin: async (page: Page) => {
      const shortly = sql`now() + interval '3 seconds'`;
      await sql`update charges set expires_at = ${shortly} where sale_id = ${saleIdOf(page)}`;
      await page.reload();
    },
    to: "Este código PIX expirou",
  },
  "its seller's own page is due": {
    begin: async (page: Page) => {
      const sale = await makeSale(plain, { status: "completed" });
      await page.route("https://membros.exemplo.com.br/", (route) => route.fulfill({ body: "ok" }));
      await page.goto(`/thank-you/${sale.id}`);
    },
    to: /membros\.exemplo/,
  },
};

longTest.each(everyNth(2, Object.entries(LEAVING)))(
  "a page that leaves by itself since %s waits for the network",
  async (_, { begin, to }) => {
    const page = await filled("sem-rede@gmail.com");
    await buy(page);
    await onPix(page);
    let attempts = 0;
    await page.route("**/healthz", (route) => {
      attempts += 1;
      return route.abort("internetdisconnected");
    });
    await begin(page);
    const stood = page.url();
    await until(() => attempts >= 1, { what: "the page to ask for the network" });
    expect(page.url()).toBe(stood);
    await page.unroute("**/healthz");
    if (to instanceof RegExp) await page.waitForURL(to);
    else await page.getByText(to).first().waitFor();
    allowTroubles(NO_NETWORK);
  },
);

async function filled(email: string, options: { javaScript?: boolean } = {}): Promise<Page> {
  const page = await openPage({ url: app.url, width: 360, ...options });
  await page.goto(`/checkout/s/trem-${shop}?utm_source=trem`);
  await fillCheckout(page, { email });
  await page.getByRole("checkbox").check();
  return page;
}

async function expectFilled(page: Page, email: string): Promise<void> {
  await expect.poll(() => page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe(email);
  expect(await page.getByLabel("CPF").inputValue()).toBe("529.982.247-25");
  expect(await page.getByLabel("WhatsApp").inputValue()).toBe("(11) 98765-4321");
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
}

const buy = (page: Page) => page.getByRole("button", { name: "Comprar Agora" }).click();
const onPix = (page: Page) => page.waitForURL("**/checkout/pix/**");
const saleIdOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;
const salesOf = (email: string) => sql`select id from sales where customer_email = ${email}`;

async function pay(page: Page): Promise<void> {
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const { id } = (await app.sandbox.transactions()).find(({ qr_code }) => qr_code === code)!;
  await app.sandbox.pay(id);
}

test("a network lost while paying loses nothing, and the next submit is one order", async () => {
  const email = "tunel@gmail.com";
  const page = await filled(email);
  await page.context().setOffline(true);
  await buy(page);
  expect(await page.getByRole("alert").textContent()).toBe(UNSENT);
  await expectFilled(page, email);
  await buy(page);
  await expect.poll(() => page.getByRole("alert").count()).toBe(1);
  await page.context().setOffline(false);
  await buy(page);
  await onPix(page);
  expect(await salesOf(email)).toHaveLength(1);
  allowTroubles(NO_NETWORK);
});

test("an answer lost on the way is no second order, also over another network", async () => {
  const email = "perdida@gmail.com";
  const page = await filled(email);
  await page.route(`**/checkout/s/trem-${shop}**`, async (route) => {
    const request = route.request();
    // It comes to us from another address, and its answer never arrives.
    await app.fetch(request.url(), {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: app.url },
      body: request.postData(),
    });
    await route.abort();
  });
  await buy(page);
  await page.getByText(UNSENT).waitFor();
  const [first, ...others] = await salesOf(email);
  expect(others).toEqual([]);
  await page.unrouteAll();
  await buy(page);
  await onPix(page);
  expect(saleIdOf(page)).toBe(first!.id);
  allowTroubles(NO_NETWORK);
});

test("an order sent with Enter, beside a field for coupons, shows it at the button that orders, and so its failure", async () => {
  const email = "tecla@gmail.com";
  await makeCoupon({ id: plain.sellerId });
  const page = await filled(email);
  const cut = Promise.withResolvers<void>();
  await page.route(`**/checkout/s/trem-${shop}**`, (route) => cut.promise.then(() => route.abort()));
  const sendWithKey = () => page.getByLabel("Nome completo").press("Enter");
  await sendWithKey();
  await page.getByRole("button", { name: "Processando pagamento..." }).waitFor();
  cut.resolve();
  await page.locator(".pay").getByText(UNSENT).waitFor();
  expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Comprar Agora");
  // A press of any of the form's buttons removes what the last one said.
  await page.getByText("Tem um cupom?").click();
  await page.getByRole("button", { name: "Aplicar" }).click();
  await page.getByText("Não conseguimos enviar").waitFor();
  await sendWithKey();
  await page.getByText(UNSENT).waitFor();
  expect(await page.getByRole("alert").count()).toBe(1);
  await page.unrouteAll();
  await sendWithKey();
  await onPix(page);
  expect(await salesOf(email)).toHaveLength(1);
  allowTroubles(NO_NETWORK);
});

test("a buyer who stops a slow submit, or waits half a minute for it, gets the button back", async () => {
  const page = await filled("lenta@gmail.com");
  await page.route(`**/checkout/s/trem-${shop}**`, () => {});
  await page.clock.install();
  await buy(page);
  const busy = page.getByRole("button", { name: "Processando pagamento..." });
  await busy.waitFor();
  await page.evaluate(() => window.stop());
  await page.getByText(UNSENT).waitFor();
  await buy(page);
  await busy.waitFor();
  expect(await page.getByText(UNSENT).count()).toBe(0);
  await page.clock.runFor(31_000);
  await page.getByText(UNSENT).waitFor();
  await page.unrouteAll();
  await buy(page);
  await onPix(page);
  allowTroubles(NO_NETWORK);
});

longTest("on slow 3G the form shows that it is working, and a second submit is the same order", async () => {
  const email = "3g@gmail.com";
  const page = await filled(email);
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  await buy(page);
  await page.getByRole("button", { name: "Processando pagamento..." }).click({ force: true });
  await onPix(page);
  expect(await salesOf(email)).toHaveLength(1);
});

test("if the shop is unreachable the form stays, and states it", async () => {
  const page = await filled("fora@gmail.com");
  await page.route(`**/checkout/s/trem-${shop}**`, (route) =>
    route.fulfill({ status: 502, body: "Bad Gateway" }),
  );
  await buy(page);
  await page.getByText(UNSENT).waitFor();
  await expectFilled(page, "fora@gmail.com");
  allowTroubles(/status of 502/);
});

test("reloading the checkout keeps what was typed in this tab, never the CPF, and the order ends it", async () => {
  const page = await filled("recarrega@gmail.com");
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage));
  expect(await stored()).toContain("recarrega@gmail.com");
  expect(await stored()).not.toMatch(/529|982|document/);
  // A page that is loaded anew, where the browser itself brings nothing back.
  const again = async () => {
    await page.goto("about:blank");
    await page.goto(`/checkout/s/trem-${shop}`);
  };
  await again();
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("recarrega@gmail.com");
  expect(await page.getByLabel("CPF").inputValue()).toBe("");
  const other = await openPage({ url: app.url, width: 360 });
  await other.goto(`/checkout/s/trem-${shop}`);
  expect(await other.getByLabel("Seu melhor e-mail").inputValue()).toBe("");
  const key = (await page.evaluate(() => Object.keys(sessionStorage))).find((name) =>
    name.startsWith(`typed/checkout/s/trem-${shop}`),
  )!;
  for (const hostile of everyNth(4, [
    '[["__proto__",{"customer_name":"x"}],["customer_document","52998224725"],["seen_prices","0"],["constructor",1]]',
    "null",
    "[]",
    '"<b>"',
    "{",
    '[["customer_name",{"a":1}],["customer_email",5]]',
    '{"customer_name":"x"}',
  ])) {
    await page.evaluate(([name, text]) => sessionStorage.setItem(name!, text!), [key, hostile]);
    const before = await page.locator("[name=seen_prices]").inputValue();
    await again();
    expect(await page.locator("[name=seen_prices]").inputValue()).toBe(before);
    for (const label of ["Nome completo", "Seu melhor e-mail", "CPF"])
      expect(await page.getByLabel(label).inputValue(), hostile).toBe("");
  }
  await page.evaluate(
    ([name]) => sessionStorage.setItem(name!, '[["customer_name","<img src=x onerror=alert(1)>"]]'),
    [key],
  );
  await again();
  expect(await page.getByLabel("Nome completo").inputValue()).toBe("<img src=x onerror=alert(1)>");
  await fillCheckout(page, { email: "recarrega@gmail.com" });
  await buy(page);
  await onPix(page);
  expect(await stored()).not.toContain("recarrega");
});

test("a link clicked without a network stays on the page, and is followed once there is one", async () => {
  allowTroubles(/ERR_INTERNET_DISCONNECTED/);
  const page = await filled("sem-rede@gmail.com");
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Já comprei" }).click();
  await page.getByRole("alert").filter({ hasText: "Sem conexão" }).waitFor();
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("sem-rede@gmail.com");
  await page.context().setOffline(false);
  await page.waitForURL("**/thank-you");
});

describe.each([true, false])("with JavaScript %s", (javaScript) => {
  const it = testInTurn(javaScript ? 0 : 1);

  it("begun in an app's own browser, it continues in another one by the mailed link, and both learn of the payment", async () => {
    const email = `app-${javaScript}@gmail.com`;
    const inApp = await filled(email, { javaScript });
    await buy(inApp);
    await onPix(inApp);
    const page = await openPage({ url: app.url, width: 360, javaScript });
    const mailed = await until(
      async () =>
        (await app.sandbox.emails(email)).map(
          ({ body }) => body.html?.match(/[^"]+\/checkout\/pix\/[^"]+/)?.[0],
        )[0],
    );
    await page.goto(mailed!);
    expect(saleIdOf(page)).toBe(saleIdOf(inApp));
    await pay(page);
    await Promise.all([waitForThanks(page), waitForThanks(inApp)]);
    expect(saleIdOf(page)).toBe(saleIdOf(inApp));
  });

  it("Back and reload restore the filled form, CPF and bump too, and its submit is the same order", async () => {
    const email = `volta-${javaScript}@gmail.com`;
    const page = await filled(email, { javaScript });
    await buy(page);
    await onPix(page);
    const first = page.url();
    await page.reload();
    expect(page.url()).toBe(first);
    await page.goBack();
    await expectFilled(page, email);
    if (javaScript) {
      await page.reload();
      await expectFilled(page, email);
    }
    await buy(page);
    await onPix(page);
    expect(page.url()).toBe(first);
    expect(await salesOf(email)).toHaveLength(1);
  });

  it("the code stays while the network is away, and a payment made meanwhile is shown once it is back", async () => {
    const page = await filled(`codigo-${javaScript}@gmail.com`, { javaScript });
    await buy(page);
    await onPix(page);
    const code = await page.getByLabel("Código PIX copia e cola").inputValue();
    await page.context().setOffline(true);
    if (javaScript) {
      await page.getByRole("button", { name: "Já paguei - Verificar status" }).click();
      const message = page.getByText(
        "Sem conexão com a internet. Se você já pagou, o pagamento não se perde: esta página confere de novo",
      );
      await message.waitFor();
      // The page repeats the submit itself. The provider is not called: it would refuse for a minute.
      await page.route(/\?ask=1/, (route) => route.fulfill({ json: { success: true, status: "pending" } }));
      await page.context().setOffline(false);
      await page.getByText("Pagamento ainda está pendente").waitFor();
      await page.unroute(/\?ask=1/);
      await page.context().setOffline(true);
    }
    expect(await page.getByLabel("Código PIX copia e cola").inputValue()).toBe(code);
    await pay(page);
    await page.context().setOffline(false);
    await waitForThanks(page);
    await page.reload();
    await page.waitForURL("**/thank-you/**");
    allowTroubles(NO_NETWORK);
  });

  it("two tabs of one browser are one order", async () => {
    const email = `abas-${javaScript}@gmail.com`;
    const page = await filled(email, { javaScript });
    const other = await page.context().newPage();
    await other.goto(`${app.url}/checkout/s/trem-${shop}?utm_source=trem`);
    await fillCheckout(other, { email });
    await other.getByRole("checkbox").check();
    await Promise.all([buy(page), buy(other)]);
    await Promise.all([onPix(page), onPix(other)]);
    expect(page.url()).toBe(other.url());
    expect(await salesOf(email)).toHaveLength(1);
  });

  it("an accepted upsell stays accepted after Back, and is listed with the first purchase once paid", async () => {
    const sale = await makeSale(withUpsell, { status: "completed" });
    const page = await openPage({ url: app.url, width: 360, javaScript });
    await page.goto(`/thank-you/${sale.id}`);
    if (javaScript) {
      await page.context().setOffline(true);
      await page.getByRole("button", { name: /Sim, quero adicionar/ }).click();
      await page.getByText("Não conseguimos enviar. Confira a sua conexão e tente novamente.").waitFor();
      await page.context().setOffline(false);
      allowTroubles(NO_NETWORK);
    }
    await page.getByRole("button", { name: /Sim, quero adicionar/ }).click();
    await onPix(page);
    const acceptedUrl = page.url();
    await page.goBack();
    await page.getByText("aguardando pagamento").waitFor();
    await page.getByRole("link", { name: "Mentoria em grupo" }).click();
    await page.waitForURL(acceptedUrl);
    await pay(page);
    await waitForThanks(page);
    await page.getByRole("link", { name: /Voltar à compra/ }).click();
    await page.getByRole("heading", { name: "Você também levou" }).waitFor();
    await page.getByRole("link", { name: "Mentoria em grupo" }).click();
    await page.waitForURL(`**/thank-you/${acceptedUrl.split("/").at(-1)}`);
  });
});

test("without script a form that was sent into a tunnel is sent again by the browser's reload", async () => {
  const email = "semscript@gmail.com";
  const page = await filled(email, { javaScript: false });
  await page.context().setOffline(true);
  await buy(page);
  await page.waitForURL(/chrome-error/);
  await page.context().setOffline(false);
  await page.reload();
  await onPix(page);
  expect(await salesOf(email)).toHaveLength(1);
});

const ANSWERS = [
  { press: /Sim, quero adicionar/, answer: "accepted", sales: 1 },
  { press: /Não, obrigado/, answer: "declined", sales: 0 },
];
const WAYS = ["reload", "Back", "reload after an answer that was lost"];

test.each(
  everyNth(
    4,
    ANSWERS.flatMap((one) => WAYS.map((way) => ({ ...one, way }))),
  ),
)(
  "without script an upsell $answer in a tunnel goes on by $way, and nothing is done twice",
  async ({ press: submit, answer, sales, way }) => {
    const sale = await makeSale(withUpsell, { status: "completed" });
    const page = await openPage({ url: app.url, width: 360, javaScript: false });
    await page.goto(`/thank-you/${sale.id}`);
    const button = page.getByRole("button", { name: submit });
    if (way.endsWith("lost")) {
      await page.route("**/thank-you/**", async (route) => {
        const request = route.request();
        // It comes to us, and its answer never arrives.
        await app.fetch(request.url(), {
          method: "POST",
          redirect: "manual",
          headers: { ...(await request.allHeaders()), Origin: app.url },
          body: request.postData(),
        });
        await route.abort("internetdisconnected");
      });
    } else await page.context().setOffline(true);
    await button.click();
    await page.waitForURL(/chrome-error/);
    await page.unrouteAll();
    await page.context().setOffline(false);
    if (way === "Back") {
      await page.goBack();
      await button.click();
    } else await page.reload();
    await expect.poll(() => page.url()).toContain(sales > 0 ? "/checkout/pix/" : `/thank-you/${sale.id}`);
    await button.waitFor({ state: "detached" });
    const message = await sql`select answer from upsell_showings where sale_id = ${sale.id}`;
    expect(message.map((row) => row.answer)).toEqual([answer]);
    expect(await sql`select id from sales where parent_sale_id = ${sale.id}`).toHaveLength(sales);
    allowTroubles(NO_NETWORK);
  },
);

test("a buyer who returns from the thank-you page's redirect is not redirected again", async () => {
  const sale = await makeSale(withUpsell, { status: "completed" });
  await sql`insert into upsell_showings (sale_id, seller_id, upsell_id, expires_at, answer, answered_at)
    select ${sale.id}, (select seller_id from sales where id = ${sale.id}), id, now(), 'declined', now() from upsells where product_id = ${withUpsell.id}`;
  const page = await openPage({ url: app.url, width: 360 });
  await page.route(/membros\.exemplo/, (route) => route.fulfill({ body: "área de membros" }));
  await page.clock.install();
  await page.goto(`/thank-you/${sale.id}`);
  await page.getByRole("timer").waitFor();
  await page.clock.runFor(6000);
  await page.waitForURL("https://membros.exemplo.com.br/");
  await page.goBack();
  await page.getByRole("link", { name: "Continuar para área de membros" }).waitFor();
  expect(await page.getByRole("timer").count()).toBe(0);
  await page.clock.runFor(10_000);
  expect(page.url()).toContain("/thank-you/");
});

test("a PIX that is refused leads back to the filled form, in one voice", async () => {
  const email = "recusada@gmail.com";
  const page = await filled(email);
  await buy(page);
  await onPix(page);
  const saleId = saleIdOf(page);
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const { id } = (await app.sandbox.transactions()).find(({ qr_code }) => qr_code === code)!;
  await app.sandbox.cancel(id);
  await page.waitForURL(`**/checkout/s/trem-${shop}?**`);
  expect(await page.getByRole("alert").textContent()).toBe(
    "Pagamento não foi aprovado. Tente novamente. Se você já pagou, não pague de novo: o pagamento será reconhecido.",
  );
  await expectFilled(page, email);
  await buy(page);
  await onPix(page);
  expect(saleIdOf(page)).toBe(saleId);
});

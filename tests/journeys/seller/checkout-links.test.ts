import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSeller,
  signedIn,
} from "#tests/support/make.ts";
import { EVERY_WAY, longTest, oneScript } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

longTest.each([
  ...oneScript(true).map((javaScript) => ({ javaScript, width: 360, dark: false })),
  ...(EVERY_WAY ? [{ javaScript: true, width: 1280, dark: true }] : []),
])("a seller builds a link with coupon, bump and source, and saves its QR code: %o", async (options) => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const bump = await makeBump(product, { name: "Apostila" });
  await makeCoupon(seller, { code: "LANCAMENTO", percent: 20 });
  const offer = await makeOffer(product, { name: "Turma", priceCents: 5000, maxQuantity: 10 });
  await makeOffer(product, {
    name: "Lote 1",
    kind: "tier",
    slug: null,
    endsAt: new Date("2020-01-01T15:00Z"),
  });
  const page = await openPage({ ...options, url: app.url, cookie: (await signedIn(seller)).Cookie });
  const picture = async (name: string) => {
    await expectNoSidewaysScroll(page);
    await savePicture(page, `links-${name}-${options.width}-${options.javaScript ? "js" : "plain"}`);
    await expectNoSeriousAxe(page);
    await page.emulateMedia({ colorScheme: options.dark ? "dark" : "light" });
  };
  await page.goto("/products");
  if (options.width > 640)
    await page.getByRole("link", { name: "Links e QR code de Curso de Violão" }).click();
  else {
    await page.getByRole("link", { name: "Editar Curso de Violão" }).click();
    await page.getByRole("link", { name: "Links e QR code" }).click();
  }
  await page.getByRole("heading", { name: "Links do checkout", level: 1 }).waitFor();
  await page.getByRole("img", { name: "QR code do link" }).waitFor();
  await page.getByLabel("Cupom").fill("lancamento");
  await page.getByLabel("Apostila").check();
  await page.getByLabel("utm_source").fill("instagram");
  await page.getByRole("button", { name: "Gerar link" }).click();
  const link = page.getByRole("link", { name: /cupom=LANCAMENTO/ });
  await link.waitFor();
  await page.getByText("R$ 97,50, no lugar de R$ 116,90").waitFor();
  await picture("built");
  const address = new URL((await link.getAttribute("href"))!);
  expect(address.search).toBe(`?cupom=LANCAMENTO&bump=${bump.id}&utm_source=instagram`);
  for (const format of ["PNG", "SVG"]) {
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: `Baixar ${format}` }).click();
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^qrcode-.+\\.${format.toLowerCase()}$`));
  }
  await page.getByLabel("Endereço").selectOption({ label: `Oferta Turma: /checkout/s/${offer.slug}` });
  await page.getByRole("button", { name: "Gerar link" }).click();
  await page.getByText("De 1 a 10. O comprador ainda pode mudar.").waitFor();
  await page.getByLabel("Quantidade").fill("11");
  await page.getByRole("button", { name: "Gerar link" }).click();
  await page.getByText("A quantidade deve ser de 1 a 10.").waitFor();
  expect(await page.getByLabel("Quantidade").inputValue()).toBe("11");
  await page.getByLabel("Quantidade").fill("3");
  await page.getByRole("button", { name: "Gerar link" }).click();
  // 20 % off of three units of R$ 50,00, and the bump.
  await page.getByText("R$ 139,90, no lugar de R$ 169,90").waitFor();
  await picture("offer");
  const offerLink = await page.getByRole("link", { name: /qtd=3/ }).getAttribute("href");
  expect(new URL(offerLink!).pathname).toBe(`/checkout/s/${offer.slug}`);
  await page.goto(address.href);
  await page.getByText("Cupom LANCAMENTO aplicado").waitFor();
  expect(await page.getByLabel(/Apostila/).isChecked()).toBe(true);
  await page.goto(offerLink!);
  await page.getByText("Cupom LANCAMENTO aplicado").waitFor();
  expect(await page.getByLabel("Quantidade").inputValue()).toBe("3");
});

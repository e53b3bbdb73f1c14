import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { lockedPdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

/** In both colours. */
async function storeBoth(page: Page, name: string) {
  await page.emulateMedia({ colorScheme: "dark" });
  await savePicture(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await savePicture(page, name);
}

/** As a seller would save it from a page with a link. */
async function printed(): Promise<Buffer> {
  const page = await openPage({ url: app.url });
  await page.setContent(
    "<h1>Apostila</h1><p><a href='https://exemplo.com.br'>Um link</a></p><p style='break-before: page'>Fim</p>",
  );
  return page.pdf({ format: "A4", outline: true, tagged: true });
}

for (const { width, javaScript } of oneWay(false)) {
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  longTest(
    `a seller switches the stamp on, and a buyer's copy has their name on each page, ${how}`,
    async () => {
      const seller = await makeSeller();
      const product = await makeProduct(seller, { fileUrl: null });
      // A switch that is refused.
      allowTroubles(/400 \(Bad Request\)/);
      const cookie = (await signedIn(seller)).Cookie;
      const page = await openPage({ url: app.url, cookie, width, javaScript });
      const send = async (name: string, buffer: Buffer) => {
        await page.goto(`/products/${product.id}/content`);
        await waitForHydration(page);
        const file = { name, mimeType: "application/pdf", buffer };
        await page.getByLabel(javaScript ? "Enviar arquivos" : /^Arquivo/).setInputFiles(file);
        if (!javaScript) await page.getByRole("button", { name: "Enviar arquivo" }).click();
        await page.getByRole("link", { name: `Editar ${name}` }).click();
        await page.getByRole("checkbox", { name: /Carimbar cada página/ }).check();
        await page.getByRole("button", { name: "Salvar" }).click();
      };
      await send("trancada.pdf", Buffer.from(lockedPdf()));
      await page
        .getByText(/protegido por senha/)
        .first()
        .waitFor();
      await expectNoSidewaysScroll(page);
      await storeBoth(page, shot("stamp-refused"));
      await send("apostila.pdf", await printed());
      await page.getByText("Carimbado para cada comprador").first().waitFor();
      await page.getByRole("link", { name: "Editar apostila.pdf" }).click();
      await page.getByText(/Para PDFs de até 50 MB e 500 páginas/).waitFor();
      await expectNoSidewaysScroll(page);
      await storeBoth(page, shot("stamp-on"));
      if (javaScript) await expectNoSeriousAxe(page);

      const sale = await makeSale(product, { status: "completed" });
      const [{ email } = { email: "" }] = await sql<{ email: string }[]>`
      select customer_email as email from sales where id = ${sale.id}`;
      const buyer = await openPage({ url: app.url, width, javaScript });
      await app.worker[0]!.kill();
      await buyer.goto(`/thank-you/${sale.id}`);
      await buyer.getByRole("link", { name: /apostila/ }).click();
      await buyer.getByRole("heading", { name: "Preparando seu arquivo…" }).waitFor();
      await expectNoSidewaysScroll(buyer);
      await storeBoth(buyer, shot("stamp-preparing"));
      const download = buyer.waitForEvent("download");
      await app.worker[0]!.start();
      await buyer.getByRole("heading", { name: "Seu arquivo está pronto" }).waitFor();
      const saved = await download;
      await storeBoth(buyer, shot("stamp-ready"));
      expect(saved.suggestedFilename()).toBe("apostila.pdf");
      const stamped = readFileSync(await saved.path());
      expect((await stampsOf(stamped)).map(([line]) => line)).toEqual(
        [1, 2].map(() => expect.stringContaining(` · ${email} · pedido ${sale.id.slice(0, 8)}`)),
      );
      if (javaScript) await expectNoSeriousAxe(buyer);
    },
  );
}

import { beforeAll, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { WAYS } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

for (const { width, javaScript } of WAYS) {
  test(`the front page opens at ${width} px ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const page = await openPage({ url: app.url, width, javaScript });
    await page.goto("/");
    await page.getByRole("main").waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `front-${width}-${javaScript ? "js" : "plain"}`);
  });
}

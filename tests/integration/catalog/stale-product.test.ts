import { expect, test } from "vitest";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productForm } from "#app/domain/catalog/product-form.server.ts";
import { productVersion, updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { profileVersion, saveProfile } from "#app/domain/identity/save-profile.server.ts";
import * as editPage from "#app/routes/seller/products/edit.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const STALE = { kind: "conflict", code: "stale" };
const fields = (name: string) =>
  productForm.parse({ name, price: "10", file_url: "https://exemplo.com.br/a", orderBumps: [], upsells: [] });

test("an older form does not replace a product whose bumps or upsells were saved elsewhere", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (const elsewhere of [() => makeBump(product), () => makeUpsell(product)]) {
    const version = productVersion(await findProduct(seller.id, product.id));
    await elsewhere();
    await expect(updateProduct(seller.id, product.id, fields("Velho"), version)).rejects.toMatchObject(STALE);
  }
  const stored = await findProduct(seller.id, product.id);
  expect([stored.name, stored.bumps.length, stored.upsells.length]).toEqual([product.name, 1, 1]);
});

test("of two forms of one version sent at once one is saved, and the other refused", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const version = productVersion(await findProduct(seller.id, product.id));
  const outcomes = await Promise.allSettled(
    ["Um", "Dois"].map((name) => updateProduct(seller.id, product.id, fields(name), version)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: STALE });
});

test("of two profiles of one version sent at once one is saved, and the other refused", async () => {
  const seller = await makeSeller();
  const version = profileVersion(seller);
  const profile = (name: string) => ({ name, email: seller.email, company: "", phone: null });
  const outcomes = await Promise.allSettled(
    ["Um", "Dois"].map((name) => saveProfile(seller.id, profile(name), version)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("an older form is told what saving it over does with rows that were removed elsewhere", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [gone, kept] = [
    await makeBump(product, { name: "Cifras" }),
    await makeBump(product, { name: "Áudios" }),
  ];
  const upsell = await makeUpsell(product, { name: "Mentoria" });
  const version = productVersion(await findProduct(seller.id, product.id));
  await sql`delete from order_bumps where id = ${gone.id}`;
  await sql`delete from upsells where id = ${upsell.id}`;
  const row = (at: string, { id, name }: { id?: number; name: string }) => ({
    [`${at}.id`]: String(id ?? ""),
    [`${at}.name`]: name,
    [`${at}.price`]: "10",
  });
  const body = new URLSearchParams({
    ...{ name: "Meu", price: "10", file_url: "https://exemplo.com.br/a", version },
    ...row("orderBumps[0]", gone),
    ...row("orderBumps[1]", kept),
    ...row("orderBumps[2]", { name: "Um novo" }),
    ...row("upsells[0]", upsell),
  });
  const answer = await call(editPage, "/", {
    ...{ method: "POST", params: { productId: String(product.id) }, body },
    headers: await signedIn(seller),
  });
  const { conflict } = (await answer.json()) as FormReply;
  expect([answer.status, conflict?.warnings]).toEqual([
    409,
    [
      'O order bump "Cifras" foi removido. Se você salvar o seu por cima, é criado outro, sem o conteúdo e as turmas que ele tinha.',
      'A oferta "Mentoria" foi removida. Se você salvar o seu por cima, é criada outra, sem o conteúdo e as turmas que ela tinha.',
    ],
  ]);
});

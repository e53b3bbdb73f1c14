import { expect, test } from "vitest";
import { findAdvertisers } from "#app/domain/delivery/advertisers.server.ts";
import { deleteDestination } from "#app/domain/delivery/change-destination.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import {
  createMemberArea,
  listMemberAreas,
  type MemberFields,
  memberForm,
  saveMemberArea,
  showMemberArea,
} from "#tests/support/rows/destinations.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";

const app = await startApp({ worker: 0 });

const CADEMI = { kind: "cademi", name: "Escola", area: "minha-escola", token: "sandbox-1234567890" };
const KIT = { kind: "memberkit", name: "Kit", token: "sandbox-1234567890", revokes: true };
const form = (fields: object): MemberFields => memberForm.parse(fields);

test("a key is stored encrypted and shown as a mask; saving the mask keeps it, but not for another area", async () => {
  const seller = await makeSeller();
  const id = await createMemberArea(seller.id, form(CADEMI), undefined);
  const [row] = await sql`select * from destinations where id = ${id}`;
  expect(JSON.stringify(row)).not.toContain("1234567890");
  const { token } = await showMemberArea(seller.id, id);
  expect(token).not.toContain("123456");
  await saveMemberArea(seller.id, id, form({ ...CADEMI, token, name: "Outra" }), undefined);
  expect(await showMemberArea(seller.id, id)).toMatchObject({ name: "Outra", token });
  const elsewhere = form({ ...CADEMI, token, area: "outra-escola" });
  await expect(saveMemberArea(seller.id, id, elsewhere, undefined)).rejects.toMatchObject({ field: "token" });
  const masked = createMemberArea(seller.id, form({ ...CADEMI, token }), undefined);
  await expect(masked).rejects.toMatchObject({ field: "token" });
});

test("MemberKit gets the products that lead to a class, by themselves or by their upsells", async () => {
  const seller = await makeSeller();
  const [first, second, third] = [
    await makeProduct(seller),
    await makeProduct(seller),
    await makeProduct(seller),
  ];
  const [bump, upsell] = [await makeBump(second), await makeUpsell(third)];
  const link = (item: string, ids: string) => ({ item, ids });
  const classes = [
    link(String(first.id), ""),
    link(`bump-${bump.id}`, "101"),
    link(`offer-${upsell.id}`, ""),
  ];
  const id = await createMemberArea(seller.id, form({ ...KIT, classes }), undefined);
  expect(await showMemberArea(seller.id, id)).toMatchObject({
    productIds: [second.id],
    classes: [{ item: `bump-${bump.id}`, ids: [101] }],
    ...{ revokes: true, withDocument: false },
  });
  const { token } = await showMemberArea(seller.id, id);
  const more = [link(String(first.id), "102 103")];
  await saveMemberArea(seller.id, id, form({ ...KIT, token, classes: more }), undefined);
  const saved = await showMemberArea(seller.id, id);
  // Fields that the form did not show stay unchanged.
  expect(saved.classes).toEqual([
    { item: String(first.id), ids: [102, 103] },
    { item: `bump-${bump.id}`, ids: [101] },
  ]);
  expect(saved.productIds?.sort()).toEqual([first.id, second.id].sort());
});

test("a refused test keeps what was typed, and shows the error beside the field", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const id = await makeMemberArea(seller, "cademi");
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const test = async (email: string) => {
    const body = new URLSearchParams({ intent: "test", email, item: String(product.id) });
    const answer = await app.fetch(`/settings/member-areas/${id}`, { method: "POST", headers, body });
    return { status: answer.status, html: await answer.text() };
  };
  for (const email of ["vera@exemplo", `${"v".repeat(300)}@exemplo.com.br`]) {
    const { status, html } = await test(email);
    expect(status).toBe(400);
    expect(html).toMatch(
      new RegExp(`<input type="email"[^>]*aria-describedby="teste-errado"[^>]*value="${email}"`),
    );
    expect(html).toMatch(/id="teste-errado"[^>]*>Informe o e-mail que recebe o acesso\./);
  }
});

test("nothing of another seller leads to a class", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const product = await makeProduct(other);
  const bump = await makeBump(product);
  const upsell = await makeUpsell(product);
  for (const item of [String(product.id), `bump-${bump.id}`, `offer-${upsell.id}`]) {
    const strange = form({ ...KIT, classes: [{ item, ids: "101" }] });
    await expect(createMemberArea(seller.id, strange, undefined)).rejects.toMatchObject({
      kind: "not-found",
    });
  }
  const some = form({ ...CADEMI, scope: "some", products: [String(product.id)] });
  await expect(createMemberArea(seller.id, some, undefined)).rejects.toMatchObject({ kind: "not-found" });
  expect(await listMemberAreas(seller.id)).toEqual([]);
});

test("the seller gets a mail about a new area, another area and another key, not about another name", async () => {
  const seller = await makeSeller();
  const mails = async () =>
    (await sql`select id from mails where seller_id = ${seller.id} and kind = 'security-notice'`).length;
  const id = await createMemberArea(seller.id, form(CADEMI), undefined);
  const { token } = await showMemberArea(seller.id, id);
  await saveMemberArea(seller.id, id, form({ ...CADEMI, token, name: "Outro nome" }), undefined);
  expect(await mails()).toBe(1);
  await saveMemberArea(seller.id, id, form({ ...CADEMI, token: "sandbox-outra-chave" }), undefined);
  await saveMemberArea(seller.id, id, form({ ...CADEMI, token: "sandbox-outra", area: "outra" }), undefined);
  expect(await mails()).toBe(3);
});

test("an area keeps its service, and a concurrent save is not replaced", async () => {
  const seller = await makeSeller();
  const id = await createMemberArea(seller.id, form(CADEMI), undefined);
  const { version } = await showMemberArea(seller.id, id);
  await expect(saveMemberArea(seller.id, id, form(KIT), undefined)).rejects.toMatchObject({
    kind: "invalid",
  });
  await saveMemberArea(seller.id, id, form({ ...CADEMI, name: "Antes" }), undefined, version);
  const late = saveMemberArea(seller.id, id, form({ ...CADEMI, name: "Depois" }), undefined, version);
  await expect(late).rejects.toMatchObject({ code: "stale" });
});

test("a key of MemberKit that another area of the seller has is refused at its field, and no other one", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const id = await createMemberArea(seller.id, form(KIT), undefined);
  const second = (token = KIT.token) =>
    createMemberArea(seller.id, form({ ...KIT, name: "Outra", token }), undefined);
  const refusal = { kind: "invalid", field: "token", message: expect.stringContaining("“Kit” já usa") };
  await expect(second()).rejects.toMatchObject(refusal);
  const another = await second("sandbox-outra-chave");
  await expect(saveMemberArea(seller.id, another, form(KIT), undefined)).rejects.toMatchObject(refusal);
  await createMemberArea(seller.id, form({ ...CADEMI, token: KIT.token }), undefined);
  await createMemberArea(other.id, form(KIT), undefined);
  const { token } = await showMemberArea(seller.id, id);
  for (const own of [token, KIT.token])
    await saveMemberArea(seller.id, id, form({ ...KIT, token: own }), undefined);
  await deleteDestination("members", seller.id, id);
  await second();
});

test("no buyer is asked for consent because of a member area: it delivers what they bought", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeMemberArea(seller, "cademi");
  expect(await findAdvertisers(product.id)).toEqual([]);
});

test("creating or changing an area needs a recent sign-in", async () => {
  const seller = await makeSeller();
  const id = await makeMemberArea(seller, "cademi");
  const { Cookie } = await signedIn(seller);
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where seller_id = ${seller.id}`;
  for (const path of ["/settings/member-areas/new?kind=cademi", `/settings/member-areas/${id}`]) {
    const answer = await app.fetch(path, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie, Origin: app.url },
      body: new URLSearchParams({ ...CADEMI, intent: "save", name: "De longe" }),
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/confirm/);
  }
  expect((await listMemberAreas(seller.id)).map(({ name }) => name)).toEqual(["Área cademi"]);
});

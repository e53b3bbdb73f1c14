import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

const { post, get, view, url } = await openSandbox();

const delivery = {
  token: "sandbox-1",
  codigo: "venda-1",
  status: "aprovado",
  produto_id: "12",
  produto_nome: "Curso",
  cliente_email: "ana@exemplo.com.br",
  cliente_nome: "Ana",
};
const toCademi = async (more: object = {}) => {
  const answer = await post("/cademi/escola/api/postback/custom", { ...delivery, ...more });
  return { status: answer.status, body: await answer.json() };
};

test("Cademí opens and closes what an e-mail bought, and stores no token", async () => {
  expect(await toCademi()).toMatchObject({ status: 200, body: { success: true } });
  await toCademi();
  expect(await view("/memberships")).toMatchObject([
    { service: "cademi", area: "escola", isOpen: true, told: 2 },
  ]);
  await toCademi({ status: "cancelado" });
  const [stored] = (await view("/memberships?email=ana@exemplo.com.br")) as object[];
  expect(stored).toMatchObject({ isOpen: false, told: 3 });
  expect(JSON.stringify(stored)).not.toContain("sandbox-1");
  expect(await (await fetch(url)).text()).toContain("ana@exemplo.com.br");
});

test.each([
  ["a token it does not know", { token: "x" }, 401, 401],
  ["what is no e-mail", { cliente_email: "ana" }, 422, 422],
  ["a word it does not know, with a 200", { status: "feito" }, 200, 422],
])("Cademí refuses %s", async (_, more, status, code) => {
  expect(await toCademi(more)).toMatchObject({ status, body: { success: false, code } });
  expect(await view("/memberships")).toEqual([]);
});

const member = { full_name: "Ana", email: "ana@exemplo.com.br", status: "active", classroom_ids: [101, 102] };
const toKit = (more: object = {}, key = "sandbox-1") =>
  post(`/memberkit/api/v1/users?api_key=${key}`, { ...member, ...more });

test("MemberKit lists its classes, and a member is one e-mail in each of them", async () => {
  const classes = await (await get("/memberkit/api/v1/classrooms?api_key=sandbox-1")).json();
  expect(classes).toMatchObject([{ id: 101 }, { id: 102 }, { id: 103 }]);
  for (const status of ["active", "active"]) expect((await toKit({ status })).status).toBe(200);
  await toKit({ status: "inactive", classroom_ids: [102] });
  expect(await view("/memberships")).toMatchObject([
    { item: "101", isOpen: true, told: 2 },
    { item: "102", isOpen: false, told: 3 },
  ]);
});

test("MemberKit refuses an unknown key, an unknown class and an odd state", async () => {
  expect((await toKit({}, "x")).status).toBe(401);
  expect((await get("/memberkit/api/v1/classrooms?api_key=x")).status).toBe(401);
  expect(await (await toKit({ classroom_ids: [101, 999] })).json()).toEqual({
    errors: ["Turma não encontrada: 999"],
  });
  expect((await toKit({ status: "ativo" })).status).toBe(422);
  expect(await view("/memberships")).toEqual([]);
});

test("faults of both are answered as they would", async () => {
  await post("/control/faults", { service: "memberkit", mode: "http-429", times: 1 });
  const busy = await toKit();
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "1"]);
  await post("/control/faults", { service: "cademi", mode: "http-500", times: 1 });
  expect(await toCademi()).toMatchObject({ status: 500, body: { success: false } });
});

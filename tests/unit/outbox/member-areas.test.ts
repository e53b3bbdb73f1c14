import { expect, test } from "vitest";
import type { MemberKind } from "#app/db/schema/lists.ts";
import { areaAddress } from "#app/domain/outbox/cademi/cademi.server.ts";
import type { OpenDestination } from "#app/domain/outbox/destination.ts";
import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { memberForm } from "#app/domain/outbox/members/member-form.server.ts";
import type { MemberSettings } from "#app/domain/outbox/members/settings.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";
import { wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { sampleNews } from "#app/domain/outbox/sample-news.ts";
import { env } from "#app/platform/env.server.ts";

const SALE = "0b0b0b0b-1111-4222-8333-444455556666";
const BUMP = "0c0c0c0c-1111-4222-8333-444455556666";

function news(event: SaleNews["event"], more: Partial<SaleNews> = {}): SaleNews {
  const sample = sampleNews(event, { subjectId: SALE, sellerId: "s", createdAt: new Date("2026-01-01") });
  return {
    ...sample,
    isTest: false,
    givenBack: event === "access.revoked",
    lines: [
      { id: SALE, kind: "product", itemId: 12, name: "Curso de violão", priceCents: 9700 },
      { id: BUMP, kind: "bump", itemId: 7, name: "Apostila", priceCents: 1990 },
    ],
    customer: {
      ...{ name: "Ana Souza", email: "ana@exemplo.com.br", phone: "+5511987654321" },
      ...{ document: "52998224725", ip: null, key: "k" },
    },
    ...more,
  };
}

function area(settings: Partial<MemberSettings> = {}): OpenDestination {
  const whole: MemberSettings = {
    ...{ area: "minha-escola", withDocument: false, known: [] },
    classes: [
      { item: "12", ids: [101, 103] },
      { item: "bump-7", ids: [102, 103] },
    ],
    test: { email: "vera@exemplo.com.br", item: "bump-7", name: "Apostila" },
    ...settings,
  };
  return {
    ...{ id: "id", sellerId: "s", name: "Área", settings: whole },
    ...{ secret: null, previousSecret: null, token: "chave/secreta?" },
  };
}

function drawn(kind: MemberKind, about: SaleNews, settings?: Partial<MemberSettings>) {
  const bodies = DESTINATIONS[kind].draw(about, area(settings));
  return "unsaid" in bodies ? bodies.unsaid : bodies.map((body) => JSON.parse(body));
}

function asked(kind: MemberKind, about = news("access.granted")) {
  const [body] = DESTINATIONS[kind].draw(about, area()) as string[];
  const message = { id: "n", body: body!, at: new Date(), isTest: about.isTest };
  return DESTINATIONS[kind].request(message, area());
}

test("Cademí hears of each thing sold as a delivery of its own", () => {
  const [product, bump, ...more] = drawn("cademi", news("access.granted"));
  expect(more).toEqual([]);
  expect(product).toEqual({
    codigo: expect.stringMatching(new RegExp(`^${SALE}-\\w{6}$`)),
    status: "aprovado",
    produto_id: "12",
    produto_nome: "Curso de violão",
    cliente_email: "ana@exemplo.com.br",
    cliente_nome: "Ana Souza",
    cliente_celular: "11987654321",
  });
  expect(bump).toMatchObject({ produto_id: "bump-7", codigo: expect.stringMatching(`^${BUMP}-`) });
});

test("a delivery is ended under the code it was made by, and another e-mail's is another", () => {
  const code = (about: SaleNews) => (drawn("cademi", about) as { codigo: string }[])[0]!.codigo;
  const granted = news("access.granted");
  expect(code(news("access.revoked"))).toBe(code(granted));
  const other = { ...granted, customer: { ...granted.customer, email: "outra@exemplo.com.br" } };
  expect(code(other)).not.toBe(code(granted));
});

test("the CPF is sent where the seller wants it there", () => {
  expect(JSON.stringify(drawn("cademi", news("access.granted")))).not.toContain("52998224725");
  const [delivery] = drawn("cademi", news("access.granted"), { withDocument: true });
  expect(delivery).toMatchObject({ cliente_doc: "52998224725" });
  expect(JSON.stringify(drawn("memberkit", news("access.granted")))).not.toContain("52998224725");
});

test("MemberKit gets a member and all the classes of what they bought, each once", () => {
  expect(drawn("memberkit", news("access.granted"))).toEqual([
    {
      full_name: "Ana Souza",
      email: "ana@exemplo.com.br",
      phone_number: "11987654321",
      status: "active",
      classroom_ids: [101, 103, 102],
    },
  ]);
});

test("what the buyer keeps by another purchase stays open", () => {
  const revoked = news("access.revoked", { held: ["bump-7"] });
  expect(drawn("memberkit", revoked)).toMatchObject([{ status: "inactive", classroom_ids: [101] }]);
  expect(drawn("cademi", revoked)).toMatchObject([{ status: "cancelado", produto_id: "12" }]);
  const all = news("access.revoked", { held: ["bump-7", "12"] });
  expect(drawn("memberkit", all)).toBe("still-held");
  expect(drawn("cademi", all)).toBe("still-held");
});

test.each([
  ["a purchase that was given back is not opened", "given-back", news("access.granted", { givenBack: true })],
  ["other events are none of theirs", "nothing-to-say", news("sale.paid")],
  [
    "without an e-mail nothing can be opened",
    "no-email",
    news("access.granted", { customer: { ...news("sale.paid").customer, email: null } }),
  ],
])("%s", (_, why, about) => {
  expect(drawn("cademi", about)).toBe(why);
  expect(drawn("memberkit", about)).toBe(why);
});

test("what leads to no class is not told to MemberKit", () => {
  expect(drawn("memberkit", news("access.granted"), { classes: [] })).toBe("no-class");
});

test("Cademí's token is in the body it gets, in no address and in no kept body", () => {
  const { url, body, keepOut } = asked("cademi");
  expect(url).toBe(`${env.CADEMI_BASE_URL}/minha-escola/api/postback/custom`);
  expect(JSON.parse(body)).toMatchObject({ token: "chave/secreta?", status: "aprovado" });
  expect(keepOut).toEqual(["chave/secreta?", "ana@exemplo.com.br", "Ana Souza", "11987654321"]);
});

test("MemberKit's key stands in the address alone, and is kept out of what is kept as it stands there, too", () => {
  const { url, body, keepOut } = asked("memberkit");
  expect(url).toBe(`${env.MEMBERKIT_BASE_URL}/api/v1/users?api_key=chave%2Fsecreta%3F`);
  expect(body).not.toContain("chave");
  expect(keepOut).toEqual([
    ...["chave/secreta?", "chave%2Fsecreta%3F"],
    ...["ana@exemplo.com.br", "Ana Souza", "11987654321"],
  ]);
});

test("a test asks MemberKit for its classes, and opens one thing at Cademí to whom the seller said", () => {
  const sample = news("access.granted", { isTest: true });
  expect(asked("memberkit", sample)).toMatchObject({ method: "GET", body: "" });
  expect(asked("memberkit", sample).url).toContain("/api/v1/classrooms?api_key=");
  expect(drawn("cademi", sample)).toMatchObject([
    { cliente_email: "vera@exemplo.com.br", produto_id: "bump-7", produto_nome: "Apostila" },
  ]);
  expect(JSON.stringify(drawn("cademi", sample))).not.toContain("987654321");
});

test("outside the sandbox an area is always one of Cademí's own hosts", () => {
  expect(areaAddress("minha-escola", null)).toBe("https://minha-escola.cademi.com.br");
  expect(URL.canParse(areaAddress("evil.example/", null))).toBe(false);
});

const answers = (kind: MemberKind, status: number, body: unknown, headers = {}) =>
  DESTINATIONS[kind].judge({
    status,
    headers: new Headers(headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test.each([
  ["cademi", 200, { success: true }, "taken", "taken"],
  ["cademi", 200, "", "taken", "taken"],
  ["cademi", 200, { success: false, code: 422, msg: "Status" }, "refused", "rejected"],
  ["cademi", 200, { success: false, code: 401, msg: "Token inválido" }, "gone", "token"],
  ["cademi", 200, { success: false, code: null, msg: "Status" }, "refused", "rejected"],
  ["cademi", 200, { success: false, code: "401", msg: "Token inválido" }, "gone", "token"],
  ["cademi", 200, { success: "false", code: {} }, "refused", "rejected"],
  ["cademi", 200, { success: 0 }, "refused", "rejected"],
  ["cademi", 200, { success: null, code: 200 }, "taken", "taken"],
  ["cademi", 200, [], "taken", "taken"],
  ["cademi", 401, { success: false }, "gone", "token"],
  ["cademi", 422, { success: false }, "refused", "rejected"],
  ["cademi", 500, "", "again", "status"],
  ["memberkit", 200, { id: 1 }, "taken", "taken"],
  ["memberkit", 201, '{"id": 1, "cut sh', "taken", "taken"],
  ["memberkit", 200, { id: 1, error: null, errors: [] }, "taken", "taken"],
  ["memberkit", 200, { id: 1, errors: {} }, "taken", "taken"],
  ["memberkit", 200, { errors: ["Turma não encontrada"] }, "refused", "rejected"],
  ["memberkit", 200, { error: "Turma não encontrada" }, "refused", "rejected"],
  ["memberkit", 200, "<html>em manutenção", "again", "unclear"],
  ["memberkit", 302, "", "refused", "redirect"],
  ["memberkit", 401, { error: "Chave inválida" }, "gone", "token"],
  ["memberkit", 404, { error: "Not found" }, "refused", "rejected"],
  ["memberkit", 429, "", "again", "status"],
  ["memberkit", 503, "", "again", "status"],
] as const)("%s's %i with %j is %s", (kind, status, body, result, why) => {
  expect(answers(kind, status, body)).toMatchObject({ result, why });
});

test("they are left alone for as long as they ask", () => {
  expect(answers("memberkit", 429, "", { "retry-after": "120" })).toMatchObject({ restMs: 120_000 });
  expect(answers("cademi", 500, "")).not.toHaveProperty("restMs");
});

const listed = (status: number, body: unknown) =>
  asked("memberkit", news("access.granted", { isTest: true })).judge!({
    status,
    headers: new Headers(),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const ALL = [101, 102, 103].map((id) => ({ id, name: `Turma ${id}` }));

test.each([
  ["all classes are there", 200, ALL, "taken", "taken"],
  ["one is missing", 200, ALL.slice(1), "refused", "unknown-class"],
  ["the list is longer than what is read", 200, '[{"id":1,"name":"Tur', "taken", "taken"],
  ["no list comes", 200, "{}", "refused", "unclear"],
  ["the key is wrong", 401, {}, "gone", "token"],
])("a test judges that %s", (_, status, body, result, why) => {
  expect(listed(status, body)).toEqual({ result, why });
});

test("what they answered stands behind our words", () => {
  const said = (responseBody: string) =>
    wordsOf({ status: "refused", why: "rejected", responseStatus: 422, responseBody }).text;
  expect(said('{"success":false,"msg":"Token inválido"}')).toMatch(/Resposta do serviço: “Token inválido”$/);
  expect(said('{"errors":["Turma não encontrada: 9"]}')).toMatch(/Turma não encontrada: 9”$/);
  expect(said('{"error":"Not found"}')).toMatch(/Not found”$/);
});

const posted = { kind: "cademi", name: "Escola", area: "minha-escola", token: "t" };

test.each([
  ["minha-escola", "minha-escola"],
  [" https://Minha-Escola.cademi.com.br/area/vitrine ", "minha-escola"],
  ["4563e8.cademi.com.br", "4563e8"],
])("an area typed as %s is %s", (typed, expected) => {
  expect(memberForm.parse({ ...posted, area: typed }).area).toBe(expected);
});

test.each(["", "evil.example", "a.b", "a_b", "-a", "á", "x.cademi.com.br.evil.example", "a@b"])(
  "“%s” is no area",
  (typed) => {
    const { error } = memberForm.safeParse({ ...posted, area: typed });
    expect(error?.issues.map(({ path }) => path[0])).toEqual(["area"]);
  },
);

test("classes are numbers, typed with commas or blanks, each once", () => {
  const kit = { kind: "memberkit", name: "Kit", token: "t" };
  const classes = [{ item: "12", ids: " 101, 102;101 " }, { item: "bump-7" }];
  expect(memberForm.parse({ ...kit, classes }).classes).toEqual([
    { item: "12", ids: [101, 102] },
    { item: "bump-7", ids: [] },
  ]);
  const { error } = memberForm.safeParse({ ...kit, classes: [{ item: "12", ids: "Violão" }] });
  expect(error?.issues.map(({ path }) => path)).toEqual([["classes", 0, "ids"]]);
});

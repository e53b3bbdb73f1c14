import { expect, test } from "vitest";
import { areaAddress } from "#app/domain/delivery/cademi/cademi.server.ts";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import type { OpenDestination } from "#app/domain/delivery/destination.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { env } from "#app/platform/env.server.ts";
import { type MemberKind, memberForm } from "#tests/support/rows/destinations.ts";

const SALE = "0b0b0b0b-1111-4222-8333-444455556666";
const BUMP = "0c0c0c0c-1111-4222-8333-444455556666";

function notification(
  event: SaleNotification["event"],
  more: Partial<SaleNotification> = {},
): SaleNotification {
  const sample = sampleNotification(event, {
    subjectId: SALE,
    sellerId: "s",
    createdAt: new Date("2026-01-01"),
  });
  return {
    ...sample,
    isTest: false,
    moneyReturned: event === "access.revoked",
    lines: [
      {
        id: SALE,
        kind: "product",
        itemId: 12,
        name: "Curso de violão",
        quantity: 1,
        priceCents: 9700,
        discountCents: 0,
        methodDiscountCents: 0,
      },
      {
        id: BUMP,
        kind: "bump",
        itemId: 7,
        name: "Apostila",
        quantity: 1,
        priceCents: 1990,
        discountCents: 0,
        methodDiscountCents: 0,
      },
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

function rendered(kind: MemberKind, about: SaleNotification, settings?: Partial<MemberSettings>) {
  const bodies = DESTINATIONS[kind].render(about, area(settings));
  return "skipReason" in bodies ? bodies.skipReason : bodies.map((body) => JSON.parse(body));
}

function callsOf(kind: MemberKind, about = notification("access.granted")) {
  const [body] = DESTINATIONS[kind].render(about, area()) as string[];
  const message = { id: "n", body: body!, at: new Date(), isTest: about.isTest };
  return DESTINATIONS[kind].buildRequest(message, area());
}

test("Cademí gets each item sold as its own delivery", () => {
  const [product, bump, ...more] = rendered("cademi", notification("access.granted"));
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
  const code = (about: SaleNotification) => (rendered("cademi", about) as { codigo: string }[])[0]!.codigo;
  const granted = notification("access.granted");
  expect(code(notification("access.revoked"))).toBe(code(granted));
  const other = { ...granted, customer: { ...granted.customer, email: "outra@exemplo.com.br" } };
  expect(code(other)).not.toBe(code(granted));
});

test("the CPF is sent where the seller wants it there", () => {
  expect(JSON.stringify(rendered("cademi", notification("access.granted")))).not.toContain("52998224725");
  const [delivery] = rendered("cademi", notification("access.granted"), { withDocument: true });
  expect(delivery).toMatchObject({ cliente_doc: "52998224725" });
  expect(JSON.stringify(rendered("memberkit", notification("access.granted")))).not.toContain("52998224725");
});

test("MemberKit gets a member and all the classes of the purchase, each once", () => {
  expect(rendered("memberkit", notification("access.granted"))).toEqual([
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
  const revoked = notification("access.revoked", { stillOwnedCodes: ["bump-7"] });
  expect(rendered("memberkit", revoked)).toMatchObject([{ status: "inactive", classroom_ids: [101] }]);
  expect(rendered("cademi", revoked)).toMatchObject([{ status: "cancelado", produto_id: "12" }]);
  const all = notification("access.revoked", { stillOwnedCodes: ["bump-7", "12"] });
  expect(rendered("memberkit", all)).toBe("still-held");
  expect(rendered("cademi", all)).toBe("still-held");
});

test.each([
  [
    "a purchase that was given back is not opened",
    "given-back",
    notification("access.granted", { moneyReturned: true }),
  ],
  ["other events are none of theirs", "nothing-to-say", notification("sale.paid")],
  [
    "without an e-mail nothing can be opened",
    "no-email",
    notification("access.granted", { customer: { ...notification("sale.paid").customer, email: null } }),
  ],
])("%s", (_, why, about) => {
  expect(rendered("cademi", about)).toBe(why);
  expect(rendered("memberkit", about)).toBe(why);
});

test("a product that leads to no class is not sent to MemberKit", () => {
  expect(rendered("memberkit", notification("access.granted"), { classes: [] })).toBe("no-class");
});

test("Cademí's token is in its body, in no address and in no stored body", () => {
  const { url, body, secrets: keepOut } = callsOf("cademi");
  expect(url).toBe(`${env.CADEMI_BASE_URL}/minha-escola/api/postback/custom`);
  expect(JSON.parse(body)).toMatchObject({ token: "chave/secreta?", status: "aprovado" });
  expect(keepOut).toEqual(["chave/secreta?", "ana@exemplo.com.br", "Ana Souza", "11987654321"]);
});

test("MemberKit's key is only in the address, and is redacted in what is stored, there too", () => {
  const { url, body, secrets: keepOut } = callsOf("memberkit");
  expect(url).toBe(`${env.MEMBERKIT_BASE_URL}/api/v1/users?api_key=chave%2Fsecreta%3F`);
  expect(body).not.toContain("chave");
  expect(keepOut).toEqual([
    ...["chave/secreta?", "chave%2Fsecreta%3F"],
    ...["ana@exemplo.com.br", "Ana Souza", "11987654321"],
  ]);
});

test("a test fetches MemberKit's classes, and opens one item at Cademí for the given e-mail", () => {
  const sample = notification("access.granted", { isTest: true });
  expect(callsOf("memberkit", sample)).toMatchObject({ method: "GET", body: "" });
  expect(callsOf("memberkit", sample).url).toContain("/api/v1/classrooms?api_key=");
  expect(rendered("cademi", sample)).toMatchObject([
    { cliente_email: "vera@exemplo.com.br", produto_id: "bump-7", produto_nome: "Apostila" },
  ]);
  expect(JSON.stringify(rendered("cademi", sample))).not.toContain("987654321");
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
  ["cademi", 200, { success: false, code: 408, msg: "Demorou" }, "again", "status"],
  ["cademi", 200, { success: false, code: 429, msg: "Muitas requisições" }, "again", "status"],
  ["cademi", 200, { success: false, code: "500", msg: "Erro interno" }, "again", "status"],
  ["cademi", 200, { success: false, code: 503, msg: "Em manutenção" }, "again", "status"],
  ["cademi", 200, { success: false, code: 404, msg: "Produto" }, "refused", "rejected"],
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
  expect(answers(kind, status, body)).toMatchObject({ result, reason: why });
});

test("their Retry-After is respected", () => {
  expect(answers("memberkit", 429, "", { "retry-after": "120" })).toMatchObject({ retryAfterMs: 120_000 });
  expect(answers("cademi", 500, "")).not.toHaveProperty("retryAfterMs");
});

const listed = (status: number, body: unknown) =>
  callsOf("memberkit", notification("access.granted", { isTest: true })).judge!({
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
  expect(listed(status, body)).toEqual({ result, reason: why });
});

test("their answers come after our text", () => {
  const textOf = (responseBody: string) =>
    deliveryText({ status: "refused", reason: "rejected", responseStatus: 422, responseBody }).text;
  expect(textOf('{"success":false,"msg":"Token inválido"}')).toMatch(
    /Resposta do serviço: “Token inválido”$/,
  );
  expect(textOf('{"errors":["Turma não encontrada: 9"]}')).toMatch(/Turma não encontrada: 9”$/);
  expect(textOf('{"error":"Not found"}')).toMatch(/Not found”$/);
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

import { z } from "zod";
import type { OpenDestination, Request, Verdict } from "#app/domain/delivery/destination.ts";
import type { ListedKind } from "#app/domain/delivery/kind.ts";
import { accessOf, areaOf, judgeAccess, personalTexts } from "#app/domain/delivery/member-area/access.ts";
import {
  accessEvents,
  closes,
  memberAreaDefaults,
  TOKEN_MISSING,
} from "#app/domain/delivery/member-area/member-kind.server.ts";
import { type MemberSettings, NO_SETTINGS } from "#app/domain/delivery/member-area/settings.ts";
import {
  classesOpened,
  keepOpened,
  memberBody,
  openedBy,
  partOf,
  sentBody,
} from "#app/domain/delivery/memberkit/member-body.server.ts";
import { type MemberkitFields, memberkitForm } from "#app/domain/delivery/memberkit/memberkit-form.server.ts";
import { ownersOf } from "#app/domain/delivery/memberkit/owners-of.server.ts";
import { refuseKnownKey } from "#app/domain/delivery/memberkit/refuse-known-key.server.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { itemCode } from "#app/domain/delivery/sale-notification.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * MemberKit's API, by their documentation: a member is one e-mail, created or changed by the same
 * call. `status` is about the classes of the call, `blocked` about the whole member; that this holds for `inactive` too is
 * documented and untested. Members are never removed: that would end access to what they bought elsewhere.
 */
const service = memberAreaDefaults({
  service: "memberkit",
  title: "MemberKit",
  text: "O comprador entra nas turmas que você escolher para cada produto.",
  token: "Chave da API",
  where: "Na MemberKit, em Configurações, copie a chave da API.",
  revokesText:
    "Enviamos as turmas da compra como inativas; as outras turmas do aluno continuam, e ele nunca é excluído. No primeiro reembolso, confira lá se o acesso acabou.",
  products: { type: "classes" },
  copies: "A MemberKit guarda o aluno pelo e-mail: o mesmo de novo não muda nada.",
  test: {
    text: "Pergunta à MemberKit que turmas há, e confere a chave e as turmas ligadas. Nada é liberado.",
    fields: [],
    ...{ submit: "Testar a conexão", pending: "Testando..." },
    logLabel: "Consulta das turmas",
    done: ({ length }) => {
      if (length === 0) return "Teste aceito pelo serviço.";
      if (length === MAX_KNOWN_CLASSES) return `A chave foi aceita. Listamos as primeiras ${length} turmas.`;
      return `A chave foi aceita: ${length === 1 ? "1 turma encontrada" : `${length} turmas encontradas`}.`;
    },
  },
  render: (notification, to, { own, kept } = { own: [], kept: [] }) => {
    if (notification.isTest) return [JSON.stringify({ GET: CLASSES })];
    const access = accessOf(notification);
    if ("skipReason" in access) return access;
    // The seller may have linked the product to another class since it was opened.
    const linked = classesOf(notification.lines.map(itemCode), to);
    const wanted = new Set(access.opens ? linked : [...linked, ...classesOpened(own, access.email)]);
    // The product was taken out of the area: what was bought before is given back, or moves to a corrected e-mail.
    if (access.opens && linked.length === 0) for (const id of classesOpened(own)) wanted.add(id);
    if (wanted.size === 0) return { skipReason: "no-class" };
    const ownedClassIds = [
      ...classesOf(notification.stillOwnedCodes, to),
      ...classesOpened(kept, access.email),
    ];
    const ids = [...wanted].filter((id) => access.opens || !ownedClassIds.includes(id));
    if (ids.length === 0) return { skipReason: "still-held" };
    // One class after the other: one that was deleted there keeps no other open.
    const calls = access.opens ? [ids] : ids.map((id) => [id]);
    return calls.map((each) => memberBody(notification, access, each));
  },
  ...{ partOf, keepOpened, openedBy, sentBody },
  buildRequest: ({ body, isTest }, to) => (isTest ? buildClassQuery(to) : buildMemberUpsert(body, to)),
  judge,
});

export const memberkit = {
  ...service,
  schema: memberkitForm,
  emptyValues: { name: service.title, revokes: true, classes: [] },
  valuesOf: ({ settings: { classes }, events }) => ({ classes, revokes: closes(events) }),
  columnsOf: async ({ token, revokes, classes: typed }, { tx, sellerId, row, saved, isNewToken }) => {
    if (isNewToken) await refuseKnownKey(tx, token, { sellerId, row });
    const before = saved?.classes ?? [];
    const named = [...typed, ...before].map(({ item }) => item);
    const owners = await ownersOf(tx, sellerId, named);
    // An item may have been removed while the form was filled in.
    const kept = typed.filter(({ item }) => owners.has(item));
    const posted = kept.map(({ item }) => item);
    // Items no longer on sale are not in the form, and their classes stay: a purchase of one may still be refunded.
    const hidden = before.filter(({ item }) => !posted.includes(item));
    const classes = [...kept.filter(({ ids }) => ids.length > 0), ...hidden];
    // The owner of a deleted item is not known any more: it is one of the products saved before.
    const ownersBefore = hidden.some(({ item }) => !owners.has(item)) ? (row?.productIds ?? []) : [];
    return {
      events: accessEvents(revokes),
      productIds: [...new Set([...ownersBefore, ...classes.flatMap(({ item }) => owners.get(item) ?? [])])],
      // Another key may open another account, with classes of its own.
      settings: { ...NO_SETTINGS, ...saved, classes, ...(isNewToken ? { known: [] } : {}) },
    };
  },
  tokenRules: { isNeeded: () => false, missing: TOKEN_MISSING },
  changesReceiver: (_, __, isNewToken) => isNewToken,
  receiverText: () => "O acesso ao que você vende passa a ser liberado em MemberKit.",
  address: () => service.title,
  warning: ({ classes }, items) =>
    classes.some(({ item }) => items.includes(item))
      ? null
      : "Nenhum produto está ligado a uma turma: nada é liberado ainda. Diga na configuração que turma cada um libera.",
  learnFromTest(answer, saved) {
    const found = listClasses(answer);
    return found.length > 0 ? { settings: { ...saved, known: found }, found } : null;
  },
} satisfies ListedKind<MemberkitFields, MemberSettings>;

/** As many classes as a form lists to choose from. */
const MAX_KNOWN_CLASSES = 200;

const MEMBERS = "/api/v1/users";
const CLASSES = "/api/v1/classrooms";

function classesOf(codes: (string | null)[], to: OpenDestination): number[] {
  const { classes } = areaOf(to);
  const ids = codes.flatMap((code) => classes.find(({ item }) => item === code)?.ids ?? []);
  return [...new Set(ids)];
}

function buildMemberUpsert(stored: string, to: OpenDestination): Request {
  const body = sentBody(stored);
  const fields = parseUntrusted(body) as Record<string, unknown>;
  const { secrets: callSecrets, ...request } = buildCall(MEMBERS, to);
  return {
    ...request,
    headers: { ...request.headers, "Content-Type": "application/json" },
    body,
    secrets: [...callSecrets, ...personalTexts(fields, ["email", "full_name", "phone_number"])],
  };
}

/** A test lists the classes: it shows whether the key is accepted and the classes exist, and changes nothing. */
function buildClassQuery(to: OpenDestination): Request {
  return {
    ...buildCall(CLASSES, to),
    method: "GET",
    shorten: (answer) => (readClasses(answer) ? JSON.stringify(listClasses(answer)) : truncate(answer, 4000)),
    judge: (answer) => judgeClasses(answer, to),
  };
}

/** Their API requires the key in the address, so no log, metric or error may contain one. */
function buildCall(path: string, { token }: OpenDestination): Request {
  const key = encodeURIComponent(token ?? "");
  return {
    url: `${withoutEnd(env.MEMBERKIT_BASE_URL, "/")}${path}?api_key=${key}`,
    headers: { Accept: "application/json" },
    body: "",
    secrets: [token ?? "", key],
  };
}

const ERROR = z.object({ error: z.unknown().optional(), errors: z.unknown().optional() });

function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { error, errors } = readAnswer(answer.body, ERROR) ?? {};
  return [error, errors].some(isNonEmpty)
    ? { result: "refused", reason: "rejected" }
    : { result: "taken", reason: "taken" };
}

/** An empty list of errors is none. */
function isNonEmpty(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}

function judgeClasses(
  answer: { status: number; headers: Headers; body: string },
  to: OpenDestination,
): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const found = readClasses(answer.body);
  // A list that is longer than we read is still a list.
  if (found === null)
    return answer.body.startsWith("[")
      ? { result: "taken", reason: "taken" }
      : { result: "refused", reason: "unclear" };
  const ids = areaOf(to).classes.flatMap((one) => one.ids);
  return ids.every((id) => found.some((one) => one.id === id))
    ? { result: "taken", reason: "taken" }
    : { result: "refused", reason: "unknown-class" };
}

const LIST = z.array(z.object({ id: z.number().int(), name: z.string() }));

/** The classes to choose from. */
function listClasses(answer: string) {
  return (readClasses(answer) ?? [])
    .slice(0, MAX_KNOWN_CLASSES)
    .map(({ id, name }) => ({ id, name: truncate(cleanLine(name), 80) }));
}

/** The classes in the answer to a test; null where it is no list, or was truncated. */
function readClasses(body: string) {
  return readAnswer(body, LIST);
}

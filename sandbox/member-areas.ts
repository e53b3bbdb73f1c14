import express from "express";
import { z } from "zod";
import type { Faults } from "./faults.ts";
import type { Memberships } from "./memberships.ts";

type Parts = { faults: Faults; memberships: Memberships };

const KNOWN_TOKEN = /^sandbox/;
const body = () => express.json({ limit: "256kb", type: () => true });

const delivery = z.looseObject({
  token: z.string(),
  codigo: z.string().min(1),
  status: z.string().min(1),
  produto_id: z.string().min(1),
  produto_nome: z.string(),
  cliente_email: z.email(),
  cliente_nome: z.string(),
});

/**
 * `/cademi/:area`: the custom postback. Any area; a token beginning with `sandbox`. Its responses to a wrong token and to
 * an unknown status are a guess; the rest is what working integrations send.
 */
export function cademiRoutes({ faults, memberships }: Parts): express.Router {
  const router = express.Router();
  router.post(
    "/:area/api/postback/custom",
    faults.arrive("cademi", "postback"),
    body(),
    (request, response) => {
      const answer = (code: number, msg: string, status = code) =>
        response.status(status).json({ success: code < 300, code, msg });
      const read = delivery.safeParse(request.body);
      if (!read.success) return answer(422, `Campo inválido: ${read.error.issues[0]?.path.join(".")}`);
      const { token, ...fields } = read.data;
      if (!KNOWN_TOKEN.test(token)) return answer(401, "Token inválido");
      const { status, produto_id, cliente_email, cliente_nome } = fields;
      // An unknown status: HTTP 200, with the error in the body.
      if (!["aprovado", "cancelado"].includes(status))
        return answer(422, `Status desconhecido: ${status}`, 200);
      memberships.receive({
        service: "cademi",
        area: String(request.params.area),
        email: cliente_email,
        name: cliente_nome,
        item: produto_id,
        isOpen: status === "aprovado",
        body: fields,
      });
      answer(200, "Recebido");
    },
  );
  return router;
}

/** The classes of the account that every key beginning with `sandbox` belongs to. */
const CLASSES = [
  { id: 101, name: "Violão do zero" },
  { id: 102, name: "Violão avançado" },
  { id: 103, name: "Comunidade" },
];

const member = z.looseObject({
  full_name: z.string().min(1),
  email: z.email(),
  status: z.enum(["inactive", "pending", "active", "expired"]),
  classroom_ids: z.array(z.number().int()).min(1),
});

/** `/memberkit`: members and classes, with the key in the URL. Source: MemberKit's API documentation. */
export function memberkitRoutes({ faults, memberships }: Parts): express.Router {
  const router = express.Router();
  const isKnown = (request: express.Request) => KNOWN_TOKEN.test(String(request.query.api_key ?? ""));
  router.get("/api/v1/classrooms", faults.arrive("memberkit", "classrooms"), (request, response) => {
    if (!isKnown(request)) return response.status(401).json({ error: "Chave de API inválida" });
    response.json(CLASSES.map((one) => ({ ...one, course_name: "Violão", users_count: 1 })));
  });
  router.post("/api/v1/users", faults.arrive("memberkit", "users"), body(), (request, response) => {
    if (!isKnown(request)) return response.status(401).json({ error: "Chave de API inválida" });
    const read = member.safeParse(request.body);
    if (!read.success)
      return response.status(422).json({ errors: [`${read.error.issues[0]?.path.join(".")} is invalid`] });
    const { full_name: name, email, status, classroom_ids } = read.data;
    const strange = classroom_ids.filter((id) => !CLASSES.some((one) => one.id === id));
    if (strange.length > 0)
      return response.status(422).json({ errors: [`Turma não encontrada: ${strange.join(", ")}`] });
    for (const id of classroom_ids)
      memberships.receive({
        ...{ service: "memberkit", area: "", email, name },
        ...{ item: String(id), isOpen: status === "active", body: read.data },
      });
    response.json({
      id: 1,
      full_name: name,
      email,
      enrollments: classroom_ids.map((id) => ({ classroom_id: id, status })),
    });
  });
  return router;
}

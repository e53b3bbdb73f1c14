import { type HtmlPart, readHtml } from "#app/domain/mail/message/read-html.ts";
import { hasAccessLink } from "#app/domain/mail/template/access-button.server.ts";
import type { SpamCheck } from "#app/domain/mail/template/spam-check.ts";

type Tag = Extract<HtmlPart, { type: "open" }>;

/** A mail as it would be sent, and its sender. */
export type CheckedMail = {
  subject: string;
  html: string;
  text: string;
  /** The template with its placeholders. */
  template: string;
  unknown: string[];
  /** The names by which a buyer may know the seller. */
  names: string[];
};

const SHORTENERS =
  /https?:\/\/(www\.)?(bit\.ly|bitly\.com|tinyurl\.com|goo\.gl|t\.co|ow\.ly|is\.gd|cutt\.ly|rebrand\.ly|shorturl\.at|buff\.ly|encurtador\.com\.br|encr\.pw|l1nq\.com|abre\.ai|rb\.gy|t\.ly)\//i;
/** CNPJ, CPF, postal code, or the name of a street. */
const IDENTITY_PATTERNS = [
  /\d{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2}/i,
  /\d{3}\.\d{3}\.\d{3}-\d{2}/,
  /\b\d{5}-?\d{3}\b/,
  /\b(rua|avenida|av\.|rodovia|travessa|alameda|praça)\s/i,
];
/** Mail programs show none of these. */
const ACTIVE_ELEMENTS = new Set(["script", "iframe", "form", "object", "embed", "video"]);
/** Gmail cuts a mail off here. */
const GMAIL_CLIP_LENGTH = 102_000;

/** What mailbox providers check in a mail, and what to do. */
export function checkContent(mail: CheckedMail): SpamCheck[] {
  const tags = readHtml(mail.html).filter((part) => part.type === "open");
  const pictures = tags.filter(({ name }) => name === "img");
  return [
    checkPlaceholders(mail),
    checkAccessLink(mail),
    checkTextShare(mail, pictures.length),
    checkIdentity(mail),
    checkShortLinks(mail),
    checkSubject(mail),
    checkActiveContent(tags),
    checkImages(pictures),
    checkSize(mail),
  ];
}

function toSpamCheck(
  id: string,
  title: string,
  problem: string | null | false,
  { ok, fix, state = "warn" }: { ok: string; fix: string; state?: "warn" | "fail" },
): SpamCheck {
  return problem ? { id, title, state, text: problem, fix } : { id, title, state: "ok", text: ok };
}

function checkPlaceholders({ unknown }: CheckedMail) {
  return toSpamCheck(
    "placeholders",
    "Variáveis",
    unknown.length > 0 && `O comprador veria este texto sem substituição: ${unknown.join(", ")}`,
    {
      state: "fail",
      ok: "Todas as variáveis do modelo são conhecidas.",
      fix: "Corrija ou apague essas variáveis na aba Templates.",
    },
  );
}

function checkAccessLink({ template }: CheckedMail) {
  return toSpamCheck(
    "access",
    "Link de acesso",
    !hasAccessLink(template) &&
      "O modelo não leva o comprador ao que ele comprou: o botão vai no fim do e-mail.",
    {
      ok: "O e-mail tem o link da compra.",
      fix: "Use {product_file_url} como endereço de um link ou botão.",
    },
  );
}

function checkTextShare({ text }: CheckedMail, pictures: number) {
  const wordCount = text.split(/\s+/).filter((token) => /\p{L}{2,}/u.test(token)).length;
  return toSpamCheck(
    "text",
    "Versão em texto",
    wordCount < 20 &&
      (pictures > 0
        ? "O e-mail é quase só imagem: sem imagens, nada sobra para ler."
        : "O e-mail tem muito pouco texto."),
    {
      ok: "A versão em texto puro é feita do seu modelo e vai junto em todo e-mail.",
      fix: "Escreva em texto o que foi comprado e como acessar, em vez de usar imagens.",
    },
  );
}

function checkIdentity({ text, names }: CheckedMail) {
  const isNamed = names.some((name) => name !== "" && text.toLowerCase().includes(name.toLowerCase()));
  const missing = [
    isNamed ? null : "o nome da sua marca",
    IDENTITY_PATTERNS.some((pattern) => pattern.test(text)) ? null : "CPF/CNPJ ou endereço",
  ].filter(Boolean);
  return toSpamCheck(
    "identity",
    "Identificação de quem envia",
    missing.length > 0 && `O e-mail não mostra ${missing.join(" nem ")}.`,
    {
      ok: "O e-mail diz quem você é e onde fica.",
      fix: "Use {brand_name} no modelo e preencha os Dados da loja, que vão no fim de todo e-mail.",
    },
  );
}

function checkShortLinks({ html }: CheckedMail) {
  const found = SHORTENERS.exec(html)?.[2] ?? null;
  return toSpamCheck("links", "Encurtadores de link", found && `O e-mail usa o encurtador ${found}.`, {
    state: "fail",
    ok: "Nenhum link encurtado.",
    fix: "Use o endereço completo: encurtadores são usados em golpes e derrubam a entrega.",
  });
}

function checkSubject({ subject }: CheckedMail) {
  return toSpamCheck("subject", "Assunto", findSubjectProblem(subject), {
    ok: "O assunto é curto e não grita.",
    fix: "Prefira até 60 caracteres, em maiúsculas e minúsculas, dizendo o que chegou.",
  });
}

function findSubjectProblem(subject: string): string | false {
  const letters = subject.replace(/[^\p{L}]/gu, "");
  if (letters.length > 8 && letters === letters.toUpperCase()) return "O assunto está todo em maiúsculas.";
  if (/!{2,}|\${2,}|\?{2,}/.test(subject)) return "O assunto repete pontuação (!!, ??, $$).";
  return subject.length > 80 && "O assunto é longo: no celular só o começo aparece.";
}

function checkActiveContent(tags: Tag[]) {
  const handlers = tags.flatMap(({ attributes }) =>
    [...attributes.keys()].filter((name) => name.startsWith("on")),
  );
  const found = tags.find(({ name }) => ACTIVE_ELEMENTS.has(name))?.name ?? handlers[0];
  return toSpamCheck(
    "active",
    "Conteúdo ativo",
    found !== undefined && `O modelo tem <${found}>, que programas de e-mail apagam.`,
    {
      state: "fail",
      ok: "Sem scripts, formulários ou molduras.",
      fix: "Apague esse trecho: além de não funcionar, ele marca o e-mail como suspeito.",
    },
  );
}

function checkImages(pictures: Tag[]) {
  const withoutAlt = pictures.filter(({ attributes }) => !attributes.has("alt")).length;
  return toSpamCheck(
    "images",
    "Imagens",
    withoutAlt > 0 && `${withoutAlt} ${withoutAlt === 1 ? "imagem" : "imagens"} sem texto alternativo.`,
    {
      ok: "Nenhuma imagem sem texto alternativo.",
      fix: 'Escreva alt="..." em cada <img>: muitos leitores abrem o e-mail com imagens desligadas.',
    },
  );
}

function checkSize({ html }: CheckedMail) {
  const kb = Math.round(html.length / 1024);
  return toSpamCheck(
    "size",
    "Tamanho",
    html.length > GMAIL_CLIP_LENGTH && `O e-mail tem ${kb} KB e o Gmail corta em 102 KB.`,
    {
      ok: kb === 0 ? "Menos de 1 KB." : `O e-mail tem ${kb} KB.`,
      fix: "Tire estilos e trechos repetidos do HTML.",
    },
  );
}

import sanitize from "sanitize-html";
import { collectRemovals, type TidiedText } from "#app/domain/storefront/sanitize/removal.ts";
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  DROPPED_TAGS,
  externalAddress,
  prefixedClasses,
  RENAMED_TAGS,
} from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { tidyStyle } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { pick } from "#app/kit/pick.ts";

type Note = (what: string, reason: string) => void;

const SCRIPT_REASON = "código não roda na página de pagamento";
const FORM_REASON = "campos e botões são só os da própria página";
const STRUCTURE_REASON = "a página já tem a sua própria estrutura";
const REASONS: Record<string, string> = {
  script: SCRIPT_REASON,
  noscript: SCRIPT_REASON,
  template: SCRIPT_REASON,
  style: "estilos ficam na aba CSS Customizado do checkout, ou no atributo style",
  link: "nada é carregado de outros endereços",
  iframe: "outras páginas não abrem dentro da página de pagamento",
  object: "outras páginas não abrem dentro da página de pagamento",
  embed: "outras páginas não abrem dentro da página de pagamento",
  svg: "use uma imagem com endereço https://",
  math: "use uma imagem com endereço https://",
  video: "vídeo e áudio não são aceitos aqui",
  audio: "vídeo e áudio não são aceitos aqui",
  h1: "vira <h2>: a página já tem o seu título",
  center: "vira <div>",
  ...sameReason(["form", "input", "button", "select", "option", "textarea", "label"], FORM_REASON),
  ...sameReason(["html", "head", "body", "title", "meta", "base", "main"], STRUCTURE_REASON),
};

function sameReason(tags: string[], reason: string): Record<string, string> {
  return Object.fromEntries(tags.map((tag) => [tag, reason]));
}

/**
 * A seller's HTML as written, without what the page would remove (seller-html.server.ts), so that the stored text is
 * what is shown. Without removals the text is unchanged.
 */
export function tidyHtml(html: string): TidiedText {
  const { list, note } = collectRemovals();
  if (html.includes("<!--")) note("<!-- … -->", "comentários não são guardados");
  const sanitized = sanitize(html, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { "*": ["class", "style"], ...ALLOWED_ATTRIBUTES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: DROPPED_TAGS,
    parseStyleAttributes: false,
    exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs.src,
    transformTags: {
      "*": (tag, attribs) => {
        const known = ALLOWED_TAGS.includes(tag);
        if (!known) note(`<${tag}>`, pick(REASONS, tag) ?? "esta tag não é aceita");
        const tagName = pick(RENAMED_TAGS, tag) ?? tag;
        return { tagName, attribs: known || tagName !== tag ? tidyAttributes(tagName, attribs, note) : {} };
      },
    },
  }).trim();
  return { text: list.length > 0 ? sanitized : html, removed: list };
}

function tidyAttributes(tag: string, attribs: Record<string, string>, note: Note): Record<string, string> {
  const allowed = Object.entries(attribs)
    .map(([name, value]) => [name, allowedValue(tag, name, value, note)] as const)
    .filter(([, value]) => value !== null);
  if (tag === "img" && !("src" in attribs)) note("<img>", "falta o endereço da imagem (src)");
  return Object.fromEntries(allowed) as Record<string, string>;
}

/** The allowed part of an attribute; null if there is none. */
function allowedValue(tag: string, name: string, value: string, note: Note): string | null {
  if (name === "style") return tidyStyle(value, (what, reason) => note(`style="${what}"`, reason)) || null;
  if (name === "class") return allowedClasses(value, note);
  if (!pick(ALLOWED_ATTRIBUTES, tag)?.includes(name)) {
    note(`${name}="${value}"`, attributeRefusalReason(tag, name));
    return null;
  }
  if (name !== "href" && name !== "src") return value;
  const scheme = name === "src" ? /^https?:/ : /./;
  if (externalAddress(name, value)[name]?.match(scheme)) return value;
  note(
    `${name}="${value}"`,
    name === "src"
      ? "a imagem precisa de um endereço https:// fora do Checkintelli"
      : "o link precisa começar com https://, mailto: ou tel: e levar para fora do Checkintelli",
  );
  return null;
}

function attributeRefusalReason(tag: string, name: string): string {
  if (/^on/.test(name)) return SCRIPT_REASON;
  return name === "id" ? "use uma classe" : `não é aceito em <${tag}>`;
}

function allowedClasses(value: string, note: Note): string | null {
  const allowed = value.split(/\s+/).filter((one) => one !== "" && prefixedClasses(one).length > 0);
  if (allowed.length < value.split(/\s+/).filter(Boolean).length)
    note(`class="${value}"`, "classes têm letras sem acento, números, - e _, e começam com letra");
  return allowed.join(" ") || null;
}

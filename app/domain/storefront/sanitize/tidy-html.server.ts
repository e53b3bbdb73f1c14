import sanitize from "sanitize-html";
import { removals, type Tidied } from "#app/domain/storefront/sanitize/removal.ts";
import {
  ATTRIBUTES,
  outside,
  RENAMED,
  SILENT_TAGS,
  safeClasses,
  TAGS,
} from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { tidyStyle } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { pick } from "#app/kit/pick.ts";

type Note = (what: string, why: string) => void;

const RUNS = "código não roda na página de pagamento";
const ONLY_OURS = "campos e botões são só os da própria página";
const OURS_ALREADY = "a página já tem a sua própria estrutura";
const REASONS: Record<string, string> = {
  script: RUNS,
  noscript: RUNS,
  template: RUNS,
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
  ...because(["form", "input", "button", "select", "option", "textarea", "label"], ONLY_OURS),
  ...because(["html", "head", "body", "title", "meta", "base", "main"], OURS_ALREADY),
};

function because(tags: string[], why: string): Record<string, string> {
  return Object.fromEntries(tags.map((tag) => [tag, why]));
}

/**
 * A seller's HTML as they wrote it, without what the page would leave out (seller-html.server.ts), so that what is stored
 * is what is shown. Where nothing has to go not a letter changes.
 */
export function tidyHtml(html: string): Tidied {
  const { list, note } = removals();
  if (html.includes("<!--")) note("<!-- … -->", "comentários não são guardados");
  const kept = sanitize(html, {
    allowedTags: TAGS,
    allowedAttributes: { "*": ["class", "style"], ...ATTRIBUTES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: SILENT_TAGS,
    parseStyleAttributes: false,
    exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs.src,
    transformTags: {
      "*": (tag, attribs) => {
        const known = TAGS.includes(tag);
        if (!known) note(`<${tag}>`, pick(REASONS, tag) ?? "esta tag não é aceita");
        const tagName = pick(RENAMED, tag) ?? tag;
        return { tagName, attribs: known || tagName !== tag ? tidyAttributes(tagName, attribs, note) : {} };
      },
    },
  }).trim();
  return { kept: list.length > 0 ? kept : html, removed: list };
}

function tidyAttributes(tag: string, attribs: Record<string, string>, note: Note): Record<string, string> {
  const kept = Object.entries(attribs)
    .map(([name, value]) => [name, keep(tag, name, value, note)] as const)
    .filter(([, value]) => value !== null);
  if (tag === "img" && !("src" in attribs)) note("<img>", "falta o endereço da imagem (src)");
  return Object.fromEntries(kept) as Record<string, string>;
}

/** What stays of an attribute; null for nothing. */
function keep(tag: string, name: string, value: string, note: Note): string | null {
  if (name === "style") return tidyStyle(value, (what, why) => note(`style="${what}"`, why)) || null;
  if (name === "class") return keepClasses(value, note);
  if (!pick(ATTRIBUTES, tag)?.includes(name)) {
    note(`${name}="${value}"`, whyNotKept(tag, name));
    return null;
  }
  if (name !== "href" && name !== "src") return value;
  const scheme = name === "src" ? /^https?:/ : /./;
  if (outside(name, value)[name]?.match(scheme)) return value;
  note(
    `${name}="${value}"`,
    name === "src"
      ? "a imagem precisa de um endereço https:// fora do Checkintelli"
      : "o link precisa começar com https://, mailto: ou tel: e levar para fora do Checkintelli",
  );
  return null;
}

function whyNotKept(tag: string, name: string): string {
  if (/^on/.test(name)) return RUNS;
  return name === "id" ? "use uma classe" : `não é aceito em <${tag}>`;
}

function keepClasses(value: string, note: Note): string | null {
  const kept = value.split(/\s+/).filter((one) => one !== "" && safeClasses(one).length > 0);
  if (kept.length < value.split(/\s+/).filter(Boolean).length)
    note(`class="${value}"`, "classes têm letras sem acento, números, - e _, e começam com letra");
  return kept.join(" ") || null;
}

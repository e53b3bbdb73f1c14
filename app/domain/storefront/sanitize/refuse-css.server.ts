import { type CssNode, generate } from "css-tree";
import { limitsOf, tellLimits } from "#app/domain/storefront/sanitize/css-limits.ts";
import {
  hasSafeValue,
  isSafeProperty,
  type Where,
} from "#app/domain/storefront/sanitize/safe-declaration.server.ts";

const MOVES =
  /^(position|z-index|inset|top|right|bottom|left|transform|translate|rotate|scale|filter|content)$/;
const MOTION = /^(animation|transition)/;
const IN_OWN_HTML: Where = { reach: "zone", touched: false };

/** Why what stands in a rule may not stay there; null where it may. */
export function refuseDeclaration(node: CssNode, where: Where): string | null {
  if (node.type === "Rule" || node.type === "Atrule") return "não se escreve uma regra dentro de outra";
  if (node.type !== "Declaration") return "não é CSS válido";
  const property = node.property.toLowerCase();
  if (!isSafeProperty(property, where)) return refuseProperty(property, where);
  return hasSafeValue(node, where.reach) ? null : refuseValue(node, property, where);
}

function refuseProperty(property: string, { reach, touched }: Where): string {
  if (MOTION.test(property)) return "animações não são aceitas";
  if (MOVES.test(property)) return "moveria ou cobriria partes da página";
  if (property.startsWith("--")) return "variáveis não são aceitas";
  if (touched && isSafeProperty(property, { reach, touched: false }))
    return "com :hover, :focus e :active mudam só cores, sublinhado e sombras";
  if (reach === "ground") return "no fundo da página valem só background e font-family";
  if (reach === "hook" && isSafeProperty(property, IN_OWN_HTML)) return "só vale no seu próprio HTML";
  return "esta propriedade não é aceita";
}

function refuseValue(
  node: Extract<CssNode, { type: "Declaration" }>,
  property: string,
  { reach }: Where,
): string {
  if (node.important) return "!important não é aceito";
  const value = generate(node.value);
  if (/url\(|image-set/i.test(value)) return "nada é carregado de outros endereços";
  if (/var\(|env\(/i.test(value)) return "variáveis não são aceitas";
  if (property === "font-family")
    return "só fontes de texto conhecidas, como Arial, Georgia, Inter ou sans-serif";
  if (/[a-z-]\(/i.test(value)) return "esta função ou um valor dela não é aceito";
  if (!/-?[\d.]/.test(value)) return "este valor não é aceito";
  const told = reach === "zone" ? "" : tellLimits(limitsOf(property, reach));
  return told ? `aqui vale ${told}` : "valor negativo, grande demais ou em unidade não aceita";
}

/** Why a selector may not stay. */
export function refuseSelector(selector: string): string {
  if (/::|:(before|after)/i.test(selector))
    return "::before, ::after e parecidos poderiam mudar o que a página diz";
  if (/[#[]/.test(selector)) return "seletores por id ou atributo não são aceitos: use uma classe";
  if (/:/.test(selector)) return "só :hover, :focus, :active, :first-child e parecidos são aceitos";
  return "este seletor não é aceito";
}

/** Why an at-rule may not stay. */
export function refuseAtrule(name: string): string {
  if (/^(import|font-face|namespace)$/i.test(name)) return "nada é carregado de outros endereços";
  if (/keyframes$/i.test(name)) return "animações não são aceitas";
  if (/^media$/i.test(name)) return "esta condição não é aceita";
  return "só @media é aceito";
}

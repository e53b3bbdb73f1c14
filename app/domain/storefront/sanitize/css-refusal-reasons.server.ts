import { type CssNode, generate } from "css-tree";
import { formatLimits, limitsFor } from "#app/domain/storefront/sanitize/css-limits.ts";
import {
  hasSafeValue,
  isSafeProperty,
  type StyleTarget,
} from "#app/domain/storefront/sanitize/safe-declaration.server.ts";

const MOVING_PROPERTIES =
  /^(position|z-index|inset|top|right|bottom|left|transform|translate|rotate|scale|filter|content)$/;
const ANIMATION_PROPERTIES = /^(animation|transition)/;
const OWN_HTML_TARGET: StyleTarget = { reach: "zone", isInteractive: false };

/** Why a part of a rule is removed; null if it is allowed. */
export function declarationRefusalReason(node: CssNode, target: StyleTarget): string | null {
  if (node.type === "Rule" || node.type === "Atrule") return "não se escreve uma regra dentro de outra";
  if (node.type !== "Declaration") return "não é CSS válido";
  const property = node.property.toLowerCase();
  if (!isSafeProperty(property, target)) return propertyRefusalReason(property, target);
  return hasSafeValue(node, target.reach) ? null : valueRefusalReason(node, property, target);
}

function propertyRefusalReason(property: string, { reach, isInteractive }: StyleTarget): string {
  if (ANIMATION_PROPERTIES.test(property)) return "animações não são aceitas";
  if (MOVING_PROPERTIES.test(property)) return "moveria ou cobriria partes da página";
  if (property.startsWith("--")) return "variáveis não são aceitas";
  if (isInteractive && isSafeProperty(property, { reach, isInteractive: false }))
    return "com :hover, :focus e :active mudam só cores, sublinhado e sombras";
  if (reach === "ground") return "no fundo da página valem só background e font-family";
  if (reach === "hook" && isSafeProperty(property, OWN_HTML_TARGET)) return "só vale no seu próprio HTML";
  return "esta propriedade não é aceita";
}

function valueRefusalReason(
  node: Extract<CssNode, { type: "Declaration" }>,
  property: string,
  { reach }: StyleTarget,
): string {
  if (node.important) return "!important não é aceito";
  const value = generate(node.value);
  if (/url\(|image-set/i.test(value)) return "nada é carregado de outros endereços";
  if (/var\(|env\(/i.test(value)) return "variáveis não são aceitas";
  if (property === "font-family")
    return "só fontes de texto conhecidas, como Arial, Georgia, Inter ou sans-serif";
  if (/[a-z-]\(/i.test(value)) return "esta função ou um valor dela não é aceito";
  if (!/-?[\d.]/.test(value)) return "este valor não é aceito";
  const limitsText = reach === "zone" ? "" : formatLimits(limitsFor(property, reach));
  return limitsText ? `aqui vale ${limitsText}` : "valor negativo, grande demais ou em unidade não aceita";
}

/** Why a selector is removed. */
export function selectorRefusalReason(selector: string): string {
  if (/::|:(before|after)/i.test(selector))
    return "::before, ::after e parecidos poderiam mudar o que a página diz";
  if (/[#[]/.test(selector)) return "seletores por id ou atributo não são aceitos: use uma classe";
  if (/:/.test(selector)) return "só :hover, :focus, :active, :first-child e parecidos são aceitos";
  return "este seletor não é aceito";
}

/** Why an at-rule is removed. */
export function atruleRefusalReason(name: string): string {
  if (/^(import|font-face|namespace)$/i.test(name)) return "nada é carregado de outros endereços";
  if (/keyframes$/i.test(name)) return "animações não são aceitas";
  if (/^media$/i.test(name)) return "esta condição não é aceita";
  return "só @media é aceito";
}

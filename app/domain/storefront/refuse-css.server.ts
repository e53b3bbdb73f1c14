import { type CssNode, generate } from "css-tree";
import { hasSafeValue, isSafeProperty } from "#app/domain/storefront/safe-declaration.server.ts";
import type { Where } from "#app/domain/storefront/seller-css.server.ts";

const MOVES =
  /^(position|z-index|inset|top|right|bottom|left|transform|translate|rotate|scale|filter|content)$/;
const MOTION = /^(animation|transition)/;

/** Why what stands in a rule may not stay there; null where it may. */
export function refuseDeclaration(node: CssNode, where: Where): string | null {
  if (node.type === "Rule" || node.type === "Atrule") return "não se escreve uma regra dentro de outra";
  if (node.type !== "Declaration") return "não é CSS válido";
  const property = node.property.toLowerCase();
  if (!isSafeProperty(property, where)) {
    if (MOTION.test(property)) return "animações não são aceitas";
    if (MOVES.test(property)) return "moveria ou cobriria partes da página";
    if (property.startsWith("--")) return "variáveis não são aceitas";
    if (where === "ground") return "no fundo da página valem só background e font-family";
    if (where === "hook" && isSafeProperty(property, "zone")) return "só vale no seu próprio HTML";
    return "esta propriedade não é aceita";
  }
  if (hasSafeValue(node)) return null;
  if (node.important) return "!important não é aceito";
  const value = generate(node.value);
  if (/url\(|image-set/i.test(value)) return "nada é carregado de outros endereços";
  if (/var\(|env\(/i.test(value)) return "variáveis não são aceitas";
  if (/-?[\d.]/.test(value)) return "valor negativo, grande demais ou em unidade não aceita";
  return "este valor não é aceito";
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

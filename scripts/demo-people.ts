import type { Campaign } from "#app/db/schema/lists.ts";
import type { Randomness } from "#scripts/random.ts";

const FIRST = [
  ...[
    "Ana",
    "Beatriz",
    "Camila",
    "Daniela",
    "Fernanda",
    "Gabriela",
    "Isabela",
    "Juliana",
    "Larissa",
    "Mariana",
  ],
  ...[
    "Patrícia",
    "Renata",
    "Sônia",
    "Tatiane",
    "Vitória",
    "André",
    "Bruno",
    "Caio",
    "Diego",
    "Eduardo",
    "Felipe",
  ],
  ...["Gustavo", "Henrique", "João", "Leandro", "Marcelo", "Nelson", "Otávio", "Paulo", "Rafael", "Thiago"],
];
const LAST = [
  ...["Almeida", "Barbosa", "Cardoso", "Costa", "Dias", "Ferreira", "Gomes", "Lima", "Machado", "Martins"],
  ...[
    "Moreira",
    "Nascimento",
    "Oliveira",
    "Pereira",
    "Ribeiro",
    "Rocha",
    "Santos",
    "Silva",
    "Souza",
    "Teixeira",
  ],
];
const AREAS = ["11", "19", "21", "27", "31", "41", "47", "48", "51", "61", "62", "71", "81", "85", "91"];

/** Where the demo's buyers come from, with weights. */
export const DEMO_CAMPAIGNS: readonly (readonly [Origin, number])[] = [
  [origin("instagram", "cpc", "violao-frio", "reels-dedilhado"), 24],
  [origin("facebook", "cpc", "violao-remarketing", "carrossel-alunos"), 18],
  [origin("google", "cpc", "busca-aprender-violao", null, "aula de violao online"), 14],
  [origin("youtube", "organico", "canal", "aula-gratis-1"), 12],
  [origin("email", "newsletter", "semana-do-violao", "botao-final"), 9],
  [origin("whatsapp", "indicacao", null), 5],
  [
    { ...origin("instagram", "influenciador", "parceria-lia"), campaign: { src: "lia", sck: "lia-story" } },
    6,
  ],
  [{}, 16],
];

type Origin = Partial<{
  utmSource: string;
  utmMedium: string;
  utmCampaign: string | null;
  utmContent: string | null;
  utmTerm: string | null;
  campaign: Campaign;
}>;

function origin(
  utmSource: string,
  utmMedium: string,
  utmCampaign: string | null,
  utmContent: string | null = null,
  utmTerm: string | null = null,
): Origin {
  return { utmSource, utmMedium, utmCampaign, utmContent, utmTerm };
}

/** A fictitious person: name, e-mail at a domain reserved for examples, phone (E.164), CPF with valid check digits. */
export function makeBuyer(random: Randomness) {
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  const plain = `${first}.${last}`
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return {
    name: `${first} ${random.pick(LAST)} ${last}`,
    email: `${plain}${random.between(1, 99)}@exemplo.com.br`,
    phone: `+55${random.pick(AREAS)}9${random.between(10_000_000, 99_999_999)}`,
    document: makeCpf(random),
  };
}

function makeCpf(random: Randomness): string {
  const digits = Array.from({ length: 9 }, () => random.between(0, 9));
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, i) => total + digit * (length + 1 - i), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("");
}

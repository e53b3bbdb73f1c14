import { GraduationCap, type LucideIcon, Radar, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import type { StopReason } from "#app/db/schema/lists.ts";
import type { Family } from "#app/domain/delivery/kind.ts";
import { paths } from "#app/kit/paths.ts";

/** A destination's last delivery, as the list says it. `at` is a date and time. */
type Last = { label: string; outcome: string; at: string };

/** What the screens of a family say. */
export type FamilyTexts = {
  /** What one is called, also as its form's id. */
  formId: string;
  noun: string;
  article: "o" | "a";
  title: string;
  text: string;
  add: string;
  icon: LucideIcon;
  empty: { title: string; text: string };
  last: (last: Last) => string;
  /** Below the list. */
  footnote?: ReactNode;
  integration: { id: string; text: string; all: string };
  /** The screen of a new one: before a service was chosen, and after. */
  choose: { title: string; text: string };
  newTitle: (service: string) => string;
  /** A way for who does not find their service. */
  otherWay?: { to: string; name: string; text: string };
  create: string;
  created: string;
  notCreated: string;
  /** The page of one, and what its buttons reply. */
  tabs: string;
  save: string;
  saved: string;
  notSaved: string;
  paused: string;
  resumed: string;
  deleted: string;
  lossWarning: string;
  testFailed: string;
  stopped: Record<StopReason, string>;
};

export const FAMILIES: Record<Family, FamilyTexts> = {
  webhook: {
    ...{ formId: "webhook", noun: "webhook", article: "o" },
    title: "Webhooks",
    text: "Outros sistemas avisados a cada venda: área de membros, CRM, robô de WhatsApp, planilha.",
    add: "Novo webhook",
    icon: Webhook,
    empty: {
      title: "Nenhum webhook ainda",
      text: "Cole o endereço que a sua ferramenta mostra e escolha o que ela deve saber. Vem da Kiwify ou da Hotmart? Mantemos o formato delas.",
    },
    last: ({ outcome, at }) => `Último envio: ${outcome.toLowerCase()} em ${at}`,
    integration: {
      id: "webhooks",
      text: "Avise seu CRM, robô de WhatsApp ou qualquer outro sistema a cada venda.",
      all: "Ver todos",
    },
    choose: { title: "Novo webhook", text: "Quem deve ser avisado?" },
    newTitle: () => "Novo webhook",
    create: "Criar webhook",
    created: "Webhook criado. Envie um teste para conferir.",
    notCreated: "Erro ao criar webhook",
    tabs: "Webhook",
    save: "Salvar webhook",
    saved: "Webhook salvo com sucesso!",
    notSaved: "Erro ao salvar webhook",
    paused: "Webhook pausado: nada mais é enviado.",
    resumed: "Webhook reativado: as próximas vendas são avisadas.",
    deleted: "Webhook excluído.",
    lossWarning: "O endereço deixa de ser avisado, e o registro do que foi enviado se perde.",
    testFailed: "O teste não chegou.",
    stopped: {
      seller: "Este webhook está pausado: as vendas de agora não são avisadas, nem ficam no registro.",
      failing:
        "Pausado: por três dias nenhum aviso foi aceito. Corrija o endereço, reative e reenvie o que está no registro: as vendas de agora não ficam nele.",
      token: "Pausado: o segredo não é mais aceito.",
      gone: "Pausado: o endereço respondeu que não quer mais avisos (410).",
    },
  },
  pixel: {
    ...{ formId: "pixel", noun: "pixel", article: "o" },
    title: "Pixels e conversões",
    text: "Informe às plataformas de anúncio o que cada anúncio vendeu, sem scripts no checkout.",
    add: "Novo pixel",
    icon: Radar,
    empty: {
      title: "Nenhum pixel ainda",
      text: "Conecte Meta, Google Analytics, TikTok ou Kwai para saber que anúncio vende. O checkout passa a perguntar ao comprador se ele aceita.",
    },
    last: ({ label, outcome, at }) => `Último: ${label}, ${at} · ${outcome}`,
    footnote: (
      <>
        O comprador é perguntado no checkout se aceita. Sem o aceite, Meta, TikTok e Kwai não recebem a venda,
        e o Google recebe só o valor, sem nada que o identifique. O CPF nunca é enviado. Se a sua própria
        página também dispara o pixel, use como identificador{" "}
        <code className="break-all">purchase.&lt;id da venda&gt;</code>, e a compra conta uma vez.
      </>
    ),
    integration: {
      id: "pixels",
      text: "Informe às plataformas de anúncio o que cada anúncio vendeu: Meta, Google Analytics, TikTok e Kwai.",
      all: "Ver todos",
    },
    choose: { title: "Novo pixel", text: "Onde você anuncia?" },
    newTitle: (service) => `Novo pixel: ${service}`,
    create: "Criar pixel",
    created: "Pixel criado. Envie um teste para conferir.",
    notCreated: "Erro ao criar pixel",
    tabs: "Pixel",
    save: "Salvar pixel",
    saved: "Pixel salvo com sucesso!",
    notSaved: "Erro ao salvar pixel",
    paused: "Pixel pausado: nada mais é enviado.",
    resumed: "Pixel reativado: as próximas vendas são informadas.",
    deleted: "Pixel excluído.",
    lossWarning: "O serviço deixa de ser informado, e o registro do que foi enviado se perde.",
    testFailed: "O teste não passou.",
    stopped: {
      seller: "Este pixel está pausado: as vendas de agora não são informadas, nem ficam no registro.",
      failing:
        "Pausado: por três dias nada foi aceito. Confira a configuração, reative e reenvie o que está no registro: as vendas de agora não ficam nele.",
      gone: "Pausado: o serviço respondeu que não recebe mais.",
      token:
        "Pausado: o serviço não aceita o token. Gere outro, salve-o na configuração, reative e reenvie o que está no registro: as vendas de agora não ficam nele.",
    },
  },
  members: {
    ...{ formId: "member-area", noun: "área", article: "a" },
    title: "Áreas de membros",
    text: "Quem paga recebe o acesso na hora, no e-mail da compra; quem corrige o e-mail, no novo.",
    add: "Conectar área",
    icon: GraduationCap,
    empty: {
      title: "Nenhuma área de membros ainda",
      text: "Conecte a Cademí ou a MemberKit e o acesso é liberado a cada venda, com order bumps e upsells. A sua é outra? Use um webhook.",
    },
    last: ({ label, outcome, at }) => `Último: ${label}, ${at} · ${outcome}`,
    integration: {
      id: "areas",
      text: "Libere o acesso na Cademí ou na MemberKit assim que a venda é paga.",
      all: "Ver todas",
    },
    choose: { title: "Conectar área de membros", text: "Onde estão as suas aulas?" },
    newTitle: (service) => `Conectar a ${service}`,
    otherWay: {
      to: paths.newDestination("webhook"),
      name: "Outra",
      text: "Por webhook: a maioria recebe avisos no formato da Kiwify ou da Hotmart.",
    },
    create: "Conectar área",
    created: "Área de membros conectada. Faça um teste para conferir.",
    notCreated: "Erro ao conectar área de membros",
    tabs: "Área de membros",
    save: "Salvar área",
    saved: "Área de membros salva com sucesso!",
    notSaved: "Erro ao salvar área de membros",
    paused: "Área pausada: nenhum acesso é liberado por aqui.",
    resumed: "Área reativada: as próximas vendas liberam o acesso.",
    deleted: "Área de membros excluída.",
    lossWarning:
      "Quem comprar depois não recebe acesso lá, um reembolso não encerra mais o que já foi liberado, e o registro do que foi enviado se perde.",
    testFailed: "O teste não passou.",
    stopped: {
      seller:
        "Esta área está pausada: as vendas de agora não liberam acesso lá, mas ficam no registro. Ao reativar, reenvie o período.",
      failing:
        "Pausada: por três dias nada foi aceito. Confira a configuração, reative e reenvie o que faltou.",
      gone: "Pausada: o serviço respondeu que não recebe mais.",
      token:
        "Pausada: o serviço não aceita a chave. Salve outra na configuração, reative e reenvie o que faltou.",
    },
  },
};

/** The families in the order in which a seller sees them. */
export const FAMILY_IDS = Object.keys(FAMILIES) as Family[];

/** The family of an address. */
export function familyAt(address: string): Family {
  return FAMILY_IDS.find((family) => address.startsWith(paths.destinations(family)))!;
}

import type { Family } from "#app/domain/delivery/kind.ts";

/** What refusals and mails call the destinations of a family. */
export const FAMILY_TEXTS: Record<
  Family,
  {
    missing: string;
    tooMany: string;
    keepsService: string;
    paused: string;
    notSubscribed: string;
    stopped: { title: string; subject: string; text: string; button: string };
  }
> = {
  webhook: {
    missing: "Webhook não encontrado",
    tooMany: "Você já tem 20 webhooks: exclua um antes de criar outro.",
    keepsService: "Um webhook não muda de serviço: crie outro.",
    paused: "Este webhook está pausado: reative o webhook antes de testar.",
    notSubscribed: "Este webhook não recebe este evento.",
    stopped: {
      title: "Um webhook foi pausado",
      subject: "Webhook pausado",
      text: "Corrija o endereço, reative o webhook e reenvie o que não chegou até aqui, pelo registro dele. As vendas de agora até você reativar não são avisadas, nem ficam no registro.",
      button: "Ver o webhook",
    },
  },
  pixel: {
    missing: "Pixel não encontrado",
    tooMany: "Você já tem 20 pixels: exclua um antes de criar outro.",
    keepsService: "Um pixel não muda de serviço: crie outro.",
    paused: "Este pixel está pausado: reative o pixel antes de testar.",
    notSubscribed: "Este pixel não recebe este evento.",
    stopped: {
      title: "Um pixel foi pausado",
      subject: "Pixel pausado",
      text: "Corrija o acesso, reative o pixel e reenvie o que não chegou até aqui, pelo registro dele. As vendas de agora até você reativar não são informadas, nem ficam no registro.",
      button: "Ver o pixel",
    },
  },
  members: {
    missing: "Área de membros não encontrada",
    tooMany: "Você já tem 20 áreas de membros: exclua uma antes de conectar outra.",
    keepsService: "Uma área não muda de serviço: conecte outra.",
    paused: "Esta área de membros está pausada: reative a área antes de testar.",
    notSubscribed: "Esta área de membros não recebe este evento.",
    stopped: {
      title: "Uma área de membros foi pausada",
      subject: "Área de membros pausada",
      text: "Quem comprar agora fica sem acesso lá até você agir. Corrija a conexão, reative a área e reenvie o que faltou: também essas compras estão no registro dela.",
      button: "Ver a área de membros",
    },
  },
};

/** How many destinations a seller has in a family: more than anybody needs, and few enough to notify all of every sale. */
export const MAX_PER_FAMILY = 20;

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { LegalPage } from "#app/ui/seller/frame/legal-page.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  return { signedIn: (await currentSeller(request)) !== null };
}

export default function Privacy() {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <LegalPage
      title="Política de privacidade"
      updated="21/11/2026"
      signedIn={signedIn}
      intro="Esta política explica quais dados pessoais a Checkintelli trata, para quê, e como você exerce os direitos que a Lei Geral de Proteção de Dados (LGPD) lhe dá."
      sections={SECTIONS}
    />
  );
}

const SECTIONS = [
  {
    title: "Dados de vendedores",
    paragraphs: [
      "Nome, e-mail, empresa, telefone e, quando você entra por um provedor de identidade, a foto que ele informa. A senha é guardada apenas em forma cifrada irreversível (argon2id). Usamos esses dados para prestar o serviço, avisar sobre vendas e proteger a conta.",
      "De cada sessão guardamos dispositivo, endereço IP e último uso, para que você possa reconhecê-la e encerrá-la.",
    ],
  },
  {
    title: "Dados de compradores",
    paragraphs: [
      "Os que o vendedor pede no checkout: nome, e-mail, telefone e CPF ou CNPJ, além do endereço IP e dos parâmetros de campanha do link. O documento é guardado criptografado. O vendedor é o controlador desses dados e nós os tratamos em nome dele, para cobrar, entregar o produto e dar suporte.",
      "Não guardamos dados de conta bancária nem de cartão.",
    ],
  },
  {
    title: "Com quem compartilhamos",
    paragraphs: [
      "Com o provedor de pagamento, que processa o PIX ou o cartão; com o provedor de e-mail, que envia as mensagens; com as plataformas de anúncios, se o comprador aceitar; e com o que o vendedor conectar: acompanhamento de campanhas, áreas de membros e outros sistemas dele. Cada um recebe só o necessário. Não vendemos dados.",
    ],
  },
  {
    title: "Cookies",
    paragraphs: [
      "Usamos apenas os necessários: o da sessão e os da conta (em qual ela foi aberta, o cadastro em andamento e o que espera ser enviado depois que a sessão acaba), o de quem entra em Minhas compras, o do tema claro ou escuro, os que protegem o login, o que leva um aviso de uma página à seguinte e o que guarda por 15 minutos quando algo foi mudado na conta, para que os relatórios já o mostrem.",
      "Quando um comprador envia o pedido, um cookie (“pedido”) guarda criptografado, só no navegador dele, o que foi digitado, para que o formulário volte preenchido se o pagamento não for concluído. Ele vale por no máximo uma hora e é apagado depois do pagamento ou quando o navegador é fechado. Outros (“compras-…”, um por pedido) guardam criptografados, por até 180 dias, o número e a hora dos últimos dez pedidos feitos nesse navegador, e nada sobre quem os fez: assim um pedido repetido não vira outro, e só ali dizemos que um produto já foi comprado. Se a oferta tiver contagem regressiva, o navegador também guarda até quando ela vai. Ele guarda ainda um número ao acaso, para que um pedido enviado duas vezes não vire dois, e a aba, enquanto está aberta, o que foi digitado no formulário.",
      "O checkout conta quantas vezes foi visto e quantos formulários foram começados, por campanha e tipo de aparelho, sem cookie e sem saber quem viu: a própria aba do navegador guarda, enquanto está aberta, que já foi contada e desde quando. Ao comprar, o pedido leva há quanto tempo o checkout foi aberto e se foi num celular ou num computador.",
      "Onde o checkout pede o seu aceite para medir anúncios, um cookie (“cliques”) guarda por até 90 dias, só para aquele checkout, o clique no anúncio que levou até ele; os anunciantes só o recebem com um pedido em que você aceitou. Não há outros cookies de publicidade nas nossas páginas. Por nossa iniciativa as páginas de checkout não carregam recursos de terceiros, a não ser na página do cartão: os campos são do provedor de pagamento, que ali também reconhece o navegador contra fraude.",
    ],
  },
  {
    title: "Por quanto tempo",
    paragraphs: [
      "Dados da conta ficam enquanto ela existir e por 30 dias depois de encerrada, ou até 90 enquanto houver pagamento, reembolso, contestação ou encerramento de acesso em andamento. Valores, datas e números das vendas ficam pelo prazo que as leis fiscais e de defesa do consumidor exigem; os dados de quem comprou saem antes, se a pessoa pedir. Pedidos que ninguém pagou e contas cujo e-mail ninguém confirmou perdem os dados da pessoa em 30 dias. Sessões e links vencidos são apagados automaticamente.",
    ],
  },
  {
    title: "Segurança",
    paragraphs: [
      "Conexões cifradas, segredos criptografados, tokens guardados apenas como resumo (hash) e acesso restrito. Se um incidente puder causar risco relevante, avisaremos os afetados e a ANPD.",
    ],
  },
  {
    title: "Seus direitos",
    paragraphs: [
      "Você pode pedir confirmação de tratamento, acesso, correção, portabilidade, anonimização ou exclusão e revogar consentimentos. Compradores baixam e apagam os seus dados em Minhas compras, em “Meus dados”. Vendedores corrigem os seus em Configurações, e ali também os baixam e encerram a conta. Cópias que o vendedor guarda fora daqui são pedidas a ele.",
    ],
  },
];

export const meta: MetaFunction = () => [{ title: "Política de privacidade · Checkintelli" }];

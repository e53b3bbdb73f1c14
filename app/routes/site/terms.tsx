import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { LegalPage } from "#app/ui/seller/frame/legal-page.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  return { signedIn: (await currentSeller(request)) !== null };
}

export default function Terms() {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <LegalPage
      title="Termos de uso"
      updated="21/11/2026"
      signedIn={signedIn}
      intro="Estes termos valem entre a Checkintelli e quem usa a plataforma para vender produtos digitais (vendedor). Ao criar uma conta, você concorda com eles."
      sections={SECTIONS}
    />
  );
}

const SECTIONS = [
  {
    title: "O que a plataforma faz",
    paragraphs: [
      "A Checkintelli oferece páginas de checkout, cobrança por PIX ou cartão através da conta que o vendedor mantém em um provedor de pagamento, entrega do link do produto e relatórios de venda.",
      "A Checkintelli não recebe, não guarda e não repassa o dinheiro das vendas: o pagamento vai direto para a conta do vendedor no provedor de pagamento.",
    ],
  },
  {
    title: "Sua conta",
    paragraphs: [
      "Para vender é preciso ter 18 anos ou mais, ou ser uma empresa, e informar dados verdadeiros. Você responde pelo que é feito com o seu acesso: guarde a senha e as chaves de API e encerre as sessões que não reconhecer.",
    ],
  },
  {
    title: "O que pode ser vendido",
    paragraphs: [
      "Apenas produtos digitais sobre os quais você tem direito de venda. É proibido vender conteúdo ilegal, que viole direitos de terceiros, que engane o comprador ou que não corresponda ao anunciado.",
      "Podemos suspender produtos ou contas que descumpram estes termos, a lei ou as regras do provedor de pagamento, avisando o motivo sempre que a lei permitir.",
    ],
  },
  {
    title: "Relação com o comprador",
    paragraphs: [
      "O vendedor é o fornecedor do produto: responde por conteúdo, qualidade, suporte, garantia e emissão de nota fiscal. O comprador pode desistir da compra em até 7 dias, como prevê o Código de Defesa do Consumidor, e prazos maiores anunciados no checkout devem ser cumpridos.",
      "O provedor de pagamento apenas processa o pagamento e não responde pela entrega, pelo suporte, pelo conteúdo ou pela qualidade do que é vendido.",
    ],
  },
  {
    title: "Reembolsos e contestações",
    paragraphs: [
      "Reembolsos saem do saldo do vendedor na sua conta do provedor de pagamento. Os que o comprador pede dentro da garantia, e os pagamentos em dobro causados por nós, são pedidos ao provedor automaticamente, sem nova autorização do vendedor. Contestações do PIX (MED) seguem as regras do Banco Central, e as de um cartão (chargeback) as da bandeira; o vendedor deve responder com os comprovantes da entrega.",
    ],
  },
  {
    title: "Dados pessoais",
    paragraphs: [
      "O vendedor é o controlador dos dados dos seus compradores, e a Checkintelli os trata em nome dele para entregar o serviço, como descreve a Política de privacidade. Use esses dados apenas para o que a lei permite.",
    ],
  },
  {
    title: "Disponibilidade e responsabilidade",
    paragraphs: [
      "Trabalhamos para manter o serviço no ar e nenhuma venda se perder, mas pode haver interrupções nossas ou de terceiros, como o provedor de pagamento e o de e-mail. Respondemos pelos danos que causarmos diretamente, nos limites da lei.",
    ],
  },
  {
    title: "Encerramento e mudanças",
    paragraphs: [
      "Você pode pedir o encerramento da conta quando quiser. Dados de vendas podem ser mantidos pelo prazo que a lei exige. Mudanças relevantes nestes termos são avisadas por e-mail com pelo menos 15 dias de antecedência.",
      "Vale a lei brasileira, e o foro é o do domicílio do consumidor quando houver relação de consumo.",
    ],
  },
];

export const meta: MetaFunction = () => [{ title: "Termos de uso · Checkintelli" }];

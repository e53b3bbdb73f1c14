import type { ReactNode } from "react";
import { SCOPE_LABELS, SCOPES } from "#app/domain/identity/access/scopes.ts";
import { uncapitalize } from "#app/kit/clean-text.ts";
import { paths } from "#app/kit/paths.ts";
import { Code, EndpointGuide } from "#app/routes/site/developers/endpoint-guide.tsx";
import { WebhooksGuide, type WebhooksView } from "#app/routes/site/developers/webhooks-guide.tsx";
import type { GuideGroup } from "#app/server/openapi/build-guide.server.ts";
import { SiteFrame } from "#app/ui/seller/frame/site-frame.tsx";

/** Data of the guide. */
export type Guide = {
  base: string;
  pageSize: { defaultSize: number; maxSize: number };
  orderName: string;
  groups: GuideGroup[];
  webhooks: WebhooksView;
};

/** The API documentation: a separate document, without hydration. */
export function GuidePage({ signedIn, guide }: { signedIn: boolean; guide: Guide }) {
  const { base, pageSize, orderName, groups, webhooks } = guide;
  return (
    <SiteFrame signedIn={signedIn} at={paths.developers()}>
      <div className="mx-auto max-w-6xl gap-12 px-4 py-12 sm:px-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Contents groups={groups} />
        <article className="min-w-0 leading-relaxed">
          <h1 className="font-semibold text-3xl tracking-tight">API para desenvolvedores</h1>
          <p className="mt-4 max-w-2xl text-base-content/85">
            Leia produtos, vendas e relatórios, crie pedidos com PIX e mude configurações a partir do seu
            sistema. Tudo em JSON, com os valores em reais e os momentos em UTC.
          </p>
          <p className="mt-3 max-w-2xl text-base-content/85">
            Para programas, a mesma descrição está em{" "}
            <a href={paths.openApi()} className="link link-primary">
              {paths.openApi()}
            </a>{" "}
            (OpenAPI 3.1).
          </p>
          <Rules base={base} pageSize={pageSize} orderName={orderName} />
          {groups.map((group) => (
            <section key={group.id} id={group.id} className="scroll-mt-20">
              <h2 className="mt-14 border-base-300 border-b pb-2 font-semibold text-2xl tracking-tight">
                {group.title}
              </h2>
              {group.entries.map((entry) => (
                <EndpointGuide key={entry.id} entry={entry} />
              ))}
            </section>
          ))}
          <WebhooksGuide {...webhooks} />
        </article>
      </div>
    </SiteFrame>
  );
}

const RULES = [
  ["chaves", "Chaves e permissões"],
  ["erros", "Erros"],
  ["paginas", "Páginas"],
  ["repetir", "Repetir um pedido"],
  ["versoes", "Mudanças ao mesmo tempo"],
  ["limites", "Limites"],
] as const;

function Contents({ groups }: { groups: { id: string; title: string }[] }) {
  const items = [...RULES, ...groups.map(({ id, title }) => [id, title] as const), ["avisos", "Webhooks"]];
  return (
    <nav aria-label="Nesta página" className="mb-10 lg:sticky lg:top-24 lg:mb-0 lg:self-start">
      <ul className="flex flex-wrap gap-x-4 text-sm lg:flex-col">
        {items.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} className="link link-hover inline-flex min-h-11 items-center lg:min-h-8">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Rule({ at, children }: { at: number; children: ReactNode }) {
  const [id, title] = RULES[at]!;
  return (
    <section id={id} className="max-w-2xl scroll-mt-20">
      <h2 className="mt-10 mb-2 font-semibold text-xl">{title}</h2>
      <div className="flex flex-col gap-3 text-base-content/85">{children}</div>
    </section>
  );
}

function Rules(props: {
  base: string;
  pageSize: { defaultSize: number; maxSize: number };
  orderName: string;
}) {
  const { defaultSize, maxSize } = props.pageSize;
  return (
    <>
      <Rule at={0}>
        <p>
          Crie uma chave em{" "}
          <a href={paths.settings("seguranca")} className="link link-primary">
            Configurações, Segurança
          </a>{" "}
          e envie-a em cada pedido. Ela aparece uma vez só: guarde-a como uma senha e nunca a coloque numa
          página.
        </p>
        <Code text={`curl '${props.base}/api/users/me' \\\n  -H 'Authorization: Bearer SUA_CHAVE'`} />
        <ul className="list-disc pl-5">
          {SCOPES.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>: {uncapitalize(SCOPE_LABELS[scope])}
            </li>
          ))}
        </ul>
        <p>
          Sem a permissão que falta, a resposta é 403 com o código <code>scope_required</code>. Chaves de
          pagamento e a conta mudam só numa sessão que entrou há pouco: <code>session_required</code>. Uma
          sessão que entrou há mais tempo recebe <code>recent_sign_in_required</code>.
        </p>
      </Rule>
      <Rule at={1}>
        <p>Um status de 400 para cima traz sempre o mesmo formato:</p>
        <Code
          text={JSON.stringify(
            {
              error: "Preço deve ser de pelo menos R$ 0,50",
              message: "Preço deve ser de pelo menos R$ 0,50",
              field: "price",
              request_id: "9f2c41d07b3e86aa",
            },
            null,
            2,
          )}
        />
        <p>
          <code>error</code> e <code>message</code> são o mesmo texto, para mostrar a uma pessoa.{" "}
          <code>field</code> diz o campo e <code>code</code> qual recusa é, onde o status não basta. Com o{" "}
          <code>request_id</code> encontramos o pedido.
        </p>
      </Rule>
      <Rule at={2}>
        <p>
          Listas que crescem vêm com {defaultSize} itens por resposta; <code>?limit=</code> pede até {maxSize}
          . Onde há mais, o cabeçalho <code>Link</code> traz o endereço pronto: <code>rel="next"</code> leva
          aos mais antigos e <code>rel="prev"</code> aos mais novos. Siga o endereço até não haver{" "}
          <code>rel="next"</code>.
        </p>
        <Code text={`Link: </api/products?limit=${defaultSize}&before=1795336200000-12>; rel="next"`} />
      </Rule>
      <Rule at={3}>
        <p>
          A resposta de um pedido se perdeu no caminho? Envie-o de novo com o mesmo{" "}
          <code>Idempotency-Key</code>, um texto seu que ninguém adivinhe, como um UUID novo por pedido. Por
          24 horas, a mesma chave da API (ou o mesmo endereço de rede) recebe a mesma venda e o mesmo PIX. O
          mesmo texto com outro corpo é recusado com 422; enquanto o primeiro ainda é feito, a resposta é 409
          e diz quando voltar.
        </p>
        <p>
          Se o código PIX já expirou e o comprador não gerou outro na página, o pedido repetido traz{" "}
          <code>pix_key</code> null e nenhum código novo: para receber outro, envie-o com outro{" "}
          <code>Idempotency-Key</code>.
        </p>
        <Code text={`Idempotency-Key: ${props.orderName}`} />
      </Rule>
      <Rule at={4}>
        <p>
          O que pode ser mudado em dois lugares tem uma <code>version</code>, quase sempre também no cabeçalho{" "}
          <code>ETag</code>. Ao mudar ou apagar, mande em <code>If-Match</code> o ETag que você leu: se alguém
          salvou depois, nada acontece e a resposta é 412. Ao mudar, a <code>version</code> no corpo faz o
          mesmo, e a resposta é 409. Sem nenhum dos dois, vale o que chega por último.
        </p>
      </Rule>
      <Rule at={5}>
        <p>
          O que custa caro é contado. Onde a descrição o diz, a resposta traz <code>RateLimit-Limit</code>,{" "}
          <code>RateLimit-Remaining</code> e <code>RateLimit-Reset</code>, em segundos. Acima do limite ela é
          429 e <code>Retry-After</code> diz em quantos segundos voltar.
        </p>
      </Rule>
    </>
  );
}

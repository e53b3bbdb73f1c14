import { Link } from "@remix-run/react";
import type { Undelivered } from "#app/domain/content/undelivered.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";

/**
 * Names the order bumps and upsells that are sold and deliver nothing, each with the way to its content. `shown`: the key of the one
 * whose content is on this screen.
 */
export function UndeliveredWarning(props: { productId: number; missing: Undelivered[]; shown?: string }) {
  if (props.missing.length === 0) return null;
  return (
    <Alert tone="warning" live={false} className="mb-4">
      <p>À venda sem link nem conteúdo: quem compra não recebe nada por aqui.</p>
      <ul className="mt-1 flex flex-col gap-2">
        {props.missing.map(({ key, kind, name }) => (
          <li key={key}>
            {key === props.shown ? (
              `Inclua abaixo o conteúdo ${describe(kind)} “${name}”`
            ) : (
              <Link
                to={paths.productContent(props.productId, key)}
                className="link inline-flex min-h-11 items-center"
              >
                Incluir o conteúdo {describe(kind)} “{name}”
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function describe(kind: Undelivered["kind"]): string {
  return kind === "bump" ? "do order bump" : "da oferta";
}

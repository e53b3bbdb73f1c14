import { findOwnPicture } from "#app/domain/picture/picture-address.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

type Linked = { fileUrl: string | null };
type WithLinks = Linked & {
  redirectUrl: string | null;
  bumps?: Linked[] | undefined;
  upsells?: (Linked & { videoUrl: string | null })[] | undefined;
};

/**
 * Refuses pictures of ours as links of a product, its bumps and upsells: the cleaning does not look at links, and would
 * delete such a picture as unused. A link that the product already has stays, so that the rest of it can be saved.
 * @param findSaved the product as it is; a new one has none
 * @throws Refusal invalid, at the field
 */
export async function refusePictureLinks(
  product: WithLinks,
  findSaved?: () => Promise<WithLinks>,
): Promise<void> {
  const linked = linksOf(product).filter(({ address }) => address && findOwnPicture(address));
  if (linked.length === 0) return;
  const saved = findSaved ? linksOf(await findSaved()).map(({ address }) => address) : [];
  const added = linked.find(({ address }) => !saved.includes(address));
  if (added)
    throw new Refusal(
      "invalid",
      "O endereço não pode ser o de uma imagem da loja: ela seria apagada. Para entregar uma imagem, envie-a em Conteúdo.",
      added.field,
    );
}

/** By the fields of the form and the API. */
function linksOf({ fileUrl, redirectUrl, bumps = [], upsells = [] }: WithLinks) {
  return [
    { field: "file_url", address: fileUrl },
    { field: "redirect_url", address: redirectUrl },
    ...bumps.map((bump, at) => ({ field: `orderBumps[${at}].file_url`, address: bump.fileUrl })),
    ...upsells.flatMap((upsell, at) => [
      { field: `upsells[${at}].file_url`, address: upsell.fileUrl },
      { field: `upsells[${at}].video_url`, address: upsell.videoUrl },
    ]),
  ];
}

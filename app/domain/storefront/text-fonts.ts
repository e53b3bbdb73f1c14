/**
 * Fonts with readable letters and digits: those of operating systems, and common web fonts that some people have
 * installed. Symbol fonts would turn text into pictures. No font is loaded, so a name only applies where it is
 * installed.
 */
const TEXT_FONTS = new Set(
  [
    "serif, sans-serif, monospace, cursive, system-ui, ui-serif, ui-sans-serif, ui-monospace, ui-rounded",
    "-apple-system, blinkmacsystemfont, segoe ui, san francisco, sf pro, sf pro text, sf pro display, new york",
    "arial, arial black, arial narrow, arial rounded mt bold, helvetica, helvetica neue, verdana, geneva, tahoma",
    "trebuchet ms, lucida grande, lucida sans, lucida sans unicode, gill sans, gill sans mt, optima, candara, calibri",
    "century gothic, futura, avenir, avenir next, franklin gothic medium, impact, haettenschweiler, charcoal, corbel",
    "times, times new roman, georgia, garamond, eb garamond, baskerville, libre baskerville, didot, bodoni mt, cambria",
    "constantia, palatino, palatino linotype, book antiqua, bookman, bookman old style, rockwell, perpetua, charter",
    "hoefler text, big caslon, cochin, american typewriter, iowan old style, sitka text, athelas, seravek",
    "courier, courier new, consolas, monaco, menlo, sfmono-regular, lucida console, andale mono, liberation mono",
    "liberation sans, liberation serif, dejavu sans, dejavu serif, dejavu sans mono, cantarell, ubuntu, ubuntu mono",
    "comic sans ms, brush script mt, bradley hand, chalkboard, marker felt, segoe print, segoe script, snell roundhand",
    "roboto, roboto slab, roboto condensed, roboto mono, open sans, lato, montserrat, poppins, inter, nunito",
    "nunito sans, raleway, oswald, rubik, work sans, noto sans, noto serif, source sans pro, source sans 3",
    "source serif pro, source serif 4, source code pro, merriweather, merriweather sans, playfair display, pt sans",
    "pt serif, quicksand, karla, manrope, dm sans, dm serif display, figtree, outfit, plus jakarta sans, urbanist",
    "mulish, barlow, cabin, dosis, josefin sans, libre franklin, lora, crimson text, crimson pro, cormorant",
    "cormorant garamond, bitter, arvo, archivo, asap, bebas neue, anton, abril fatface, comfortaa, exo 2, fira sans",
    "fira code, heebo, hind, ibm plex sans, ibm plex serif, ibm plex mono, jost, kanit, lexend, league spartan",
    "maven pro, overpass, oxygen, prompt, public sans, red hat display, sora, space grotesk, space mono, spectral",
    "syne, teko, titillium web, varela round, vollkorn, yanone kaffeesatz, zilla slab, dancing script, pacifico",
    "caveat, great vibes, sacramento, satisfy, lobster, cinzel, alegreya, alegreya sans, jetbrains mono, inconsolata",
  ]
    .join(", ")
    .split(", "),
);

/** Whether a CSS font family is a text font. */
export function isTextFont(family: string): boolean {
  return TEXT_FONTS.has(family.trim().replace(/ +/g, " ").toLowerCase());
}

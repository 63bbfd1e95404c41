/**
 * Words of questions and sentences in several languages: "how do I ...". They say little about what a reader looks for, and a
 * site may have them so seldom that their rarity misleads. Without accents, as in the index.
 */
const words = new Set(
  (
    "a an and any are as at be been but by can could do does for from had has have how i if in into is it its me my of on " +
    "or our should so some than that the their them then there these they this to was we were what when where which who " +
    "why will with would you your " +
    "about all every find get getting just let much need now only other put right up want way " +
    "al como con cual cuando de del donde el en es esta la las lo los mi para por puedo que se su un una unos y " +
    "au aux avec ce cette comment dans des du est et je le les ma mes mon ou pour quand que quel quelle sur une " +
    "auf das dem den der ein eine einem einen fur ich im ist kann man mein mit oder und vom von wann wie wo zu zum zur " +
    "com da dos em eu meu minha na nao no nos onde os ou pelo pela por quais uma " +
    "che di dove e gli il le mio nel nella per quale sono"
  ).split(" "),
);

export const isCommonWord = (word: string): boolean => words.has(word);

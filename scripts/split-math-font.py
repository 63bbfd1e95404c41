# Splits the font of formulas by the ranges that on-demand/math.css gives its files: few formulas need more than the first.
#
#   pip install fonttools==4.66.1 brotli && python scripts/split-math-font.py
#
# The files are committed, because nothing that npm installs can write them.
import re
from pathlib import Path

from fontTools import subset

root = Path(__file__).parent.parent
styles = root / "src/page/theme/styles"
source = root / "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
faces = re.findall(r'url\("\.\./(math/.+?\.woff2)"\).*?unicode-range:(.+?);', (styles / "on-demand/math.css").read_text(), re.S)
taken = set()
# As in a browser, the last face that has a character in its range counts.
for path, ranges in reversed(faces):
    # Instructions for screens of few pixels are a third of the file.
    options = subset.Options(
        flavor="woff2", hinting=False, notdef_outline=True, name_IDs=[], layout_features=["ccmp", "locl"]
    )
    options.drop_tables += ["gasp"]
    font = subset.load_font(source, options)
    chars = set(subset.parse_unicodes(re.sub(r"\s", "", ranges))) & set(font.getBestCmap()) - taken
    taken |= chars
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=chars)
    subsetter.subset(font)
    font["head"].modified = font["head"].created
    subset.save_font(font, styles / path, options)
    print(path, len(chars), "characters", (styles / path).stat().st_size, "bytes")

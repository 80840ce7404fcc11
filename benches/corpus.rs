//! Decoding and extracting, in bytes of input per second.

mod support;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use nearcopy_extract::{decode, html};

fn main() {
    divan::main();
}

#[divan::bench(args = ["utf-8", "windows-1251", "utf-16le"])]
fn decoding(bencher: Bencher, encoding: &str) {
    let text = support::text("rus", 1 << 20, 1);
    let bytes = match encoding {
        "utf-8" => text.into_bytes(),
        "windows-1251" => {
            text.chars().map(|c| if c.is_ascii() { c as u8 } else { (u32::from(c) - 0x350) as u8 }).collect()
        }
        _ => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    };
    bencher.counter(BytesCount::new(bytes.len())).bench(|| decode::decode(black_box(&bytes), None).text.len());
}

#[divan::bench(args = [4 << 10, 20 << 10, 200 << 10])]
fn main_content(bencher: Bencher, size: usize) {
    let page = support::page(size, 1);
    bencher.counter(BytesCount::of_str(&page)).bench(|| html::read(black_box(&page)));
}

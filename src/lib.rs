pub mod corpus;
pub mod error;
pub mod pipeline;
pub mod similarity;
pub mod sketch;
pub mod text;
